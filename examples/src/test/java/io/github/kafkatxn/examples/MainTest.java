package io.github.kafkatxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void helpIsPrinted() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--bootstrap-servers", "Exit status");
    }

    @Test
    void theHelpOfShareIsItsOwn() {
        assertThat(run("share", "--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("share group", "KIP-1289", "--bootstrap-servers", "Where it is at least once");
    }

    @Test
    void wrongArgumentsAreNamedWithStatusTwo() {
        assertThat(run("--brokers", "4")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--brokers 4: allowed is 1 to 3", "--help");
        assertThat(out.size()).isZero();
    }

    @Test
    void aFileThatIsNotThereIsAWrongArgument() {
        assertThat(run("--input", "nowhere.csv")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--input nowhere.csv cannot be read: there is no such file");
    }

    private int run(String... args) {
        return Main.run(args, print(out), print(err));
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
