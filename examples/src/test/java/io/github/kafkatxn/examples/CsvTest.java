package io.github.kafkatxn.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class CsvTest {

    @Test
    void splitsAtCommasAndTrims() {
        assertThat(Csv.fields("a, b ,,c")).containsExactly("a", "b", "", "c");
        assertThat(Csv.fields("")).containsExactly("");
    }

    @Test
    void quotedFieldsMayHaveCommasAndQuotes() {
        assertThat(Csv.fields("\"a,b\",\"say \"\"c\"\"\",d")).containsExactly("a,b", "say \"c\"", "d");
    }

    @Test
    void anOpenQuoteIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Csv.fields("a,\"b"))
                .withMessageContaining("a,\"b");
    }
}
