package io.github.kafkatxn.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class KnownDifferencesTest {
    private static final List<String> FILE = List.of(
            "# a comment", "", "1,2 | Init v5 | NONE | OTHER | because", "2 | Init v4 | NONE | OTHER | because");
    private static final Step INIT_5 = step("Init v5");
    private static final Step INIT_4 = step("Init v4");

    @Test
    void aDifferenceIsKnownByRequestVersionAndBothAnswers() {
        KnownDifferences known = KnownDifferences.parse(FILE, 1);
        assertThat(known.allows(INIT_5, "NONE", "OTHER")).isTrue();
        assertThat(known.allows(INIT_5, "OTHER", "NONE")).isFalse();
        assertThat(known.allows(INIT_4, "NONE", "OTHER")).isFalse();
    }

    @Test
    void oneThatIsNotSeenAnyMoreIsNamed() {
        KnownDifferences known = KnownDifferences.parse(FILE, 2);
        known.allows(INIT_5, "NONE", "OTHER");
        assertThat(known.unseen()).singleElement().asString().contains("Init v4");
        known.allows(INIT_4, "NONE", "OTHER");
        assertThat(known.unseen()).isEmpty();
    }

    @Test
    void aReasonIsNeeded() {
        assertThatThrownBy(() -> KnownDifferences.parse(List.of("#", "1 | Init v5 | NONE | OTHER |"), 1))
                .hasMessageStartingWith("known-differences.txt:2: not \"transaction versions | request");
    }

    private static Step step(String text) {
        return ScenarioParser.parse("a.txt", List.of("sequence x", text))
                .get(0)
                .steps()
                .get(0);
    }
}
