package io.github.kafkatxn.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioParserTest {
    @Test
    void aStepHasItsVersionItsValuesItsWordsAndWhatIsExpected() {
        Step step = only("sequence x", "K2  EndTxn v5 COMMIT id=a e-1 waits -> NONE P1 e1")
                .get(0);
        assertThat(step.verb().name()).isEqualTo("EndTxn");
        assertThat(step.version()).isEqualTo((short) 5);
        assertThat(step.text("id", "t")).isEqualTo("a");
        assertThat(step.number("e", 0)).isEqualTo(-1);
        assertThat(step.has("COMMIT")).isTrue();
        assertThat(step.has("ABORT")).isFalse();
        assertThat(step.expected()).containsExactly("NONE", "P1", "e1");
        assertThat(step.place()).isEqualTo("a.txt:2");
    }

    @Test
    void commentsAndEmptyLinesAreNoSteps() {
        assertThat(only("# first", "", "sequence x", "  # none", "", "  Init v5", ""))
                .extracting(Step::place)
                .containsExactly("a.txt:6");
    }

    @Test
    void partitionsAreAList() {
        assertThat(only("sequence x", "AddPartitions v3 p1,99").get(0).partitions())
                .containsExactly(1, 99);
        assertThat(only("sequence x", "AddPartitions v3").get(0).partitions()).containsExactly(0);
    }

    @Test
    void variablesMakeOneSequenceForEachCombination() {
        List<Scenario> scenarios = ScenarioParser.parse(
                "a.txt", List.of("sequence x: for v in 2..3, r in COMMIT ABORT", "EndTxn v$v $r", "EndTxn v$v$v $r"));
        assertThat(scenarios)
                .extracting(Scenario::name)
                .containsExactly(
                        "a.txt x {v=2, r=COMMIT}",
                        "a.txt x {v=2, r=ABORT}",
                        "a.txt x {v=3, r=COMMIT}",
                        "a.txt x {v=3, r=ABORT}");
        assertThat(scenarios.get(3).steps())
                .extracting(Step::text)
                .containsExactly("EndTxn v3 ABORT", "EndTxn v33 ABORT");
    }

    @Test
    void theFirstExpectedWordIsFirstAndTheOthersAreSomewhere() {
        Step step = only("sequence x", "Init v5 -> NONE e0").get(0);
        assertThat(step.accepts("NONE P1 e0")).isTrue();
        assertThat(step.accepts("e0 NONE")).isFalse();
        assertThat(step.accepts("NONE P1 e01")).isFalse();
        assertThat(only("sequence x", "Init v5").get(0).accepts("whatever")).isTrue();
    }

    @Test
    void aScenarioHasItsTopicsAndTheirPartitions() {
        Scenario scenario = ScenarioParser.parse(
                        "a.txt",
                        List.of(
                                "sequence x",
                                "Produce v12 p0,3,99",
                                "Fetch v12 topic=other",
                                "Fetch v12 topic=none",
                                "AddOffsets v3"))
                .get(0);
        assertThat(scenario.topics()).containsExactly("other", "topic");
        assertThat(scenario.partitions()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Init v5;                        a.txt:1: a request before the first \"sequence NAME\"",
                "sequence;                       a.txt:1: not \"sequence NAME\"",
                "sequence x: v in 1 2/Init v5;   a.txt:1: not \"sequence NAME\"",
                "sequence x: for v/Init v5;      a.txt:1: not \"NAME in VALUES\": v",
                "sequence x;                     a.txt:1: a sequence without requests",
                "sequence x/sequence y/Init v5;  a.txt:1: a sequence without requests",
                "sequence x/Init v$v;            a.txt:2: a variable the head does not give: Init v$v",
                "sequence x/Init v5/Inti v5;     a.txt:3: no request; there are [Add",
                "sequence x/K1;                  a.txt:2: no request; there are [Add",
                "sequence x/Init e0;             a.txt:2: no version, as in \"v5\": Init e0",
                "sequence x/Init v5 -> A -> B;   a.txt:2: more than one arrow",
                "sequence x/Init v5 wait;        a.txt:2: wait is none of [e, id, pid, timeout, times]: Init v5 wait",
                "sequence x/EndTxn v5 topic=a;   a.txt:2: topic is none of [ABORT, COMMIT, e, id, pid]",
            })
    void aWrongLineIsNamedWithWhatWasExpected(String lines, String message) {
        assertThatThrownBy(() -> ScenarioParser.parse("a.txt", List.of(lines.split("/"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void aValueThatIsNoNumberIsNamed() {
        Step step = only("sequence x", "Produce v12 s=first").get(0);
        assertThatThrownBy(() -> step.number("s", 0))
                .hasMessage("a.txt:2: the value of s is not a number: Produce v12 s=first");
    }

    private static List<Step> only(String... lines) {
        List<Scenario> scenarios = ScenarioParser.parse("a.txt", List.of(lines));
        assertThat(scenarios).hasSize(1);
        return scenarios.get(0).steps();
    }
}
