package io.github.kafkatxn.examples.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowsTest {
    @TempDir
    private Path folder;

    @Test
    void theBundledInputHasTenThousandRows() {
        Rows rows = Rows.read(Arguments.parse());
        assertThat(rows.columns()).hasSize(14).startsWith("Airport Name", "Aircraft Make Model");
        assertThat(rows.lines()).hasSize(10_000);
    }

    @Test
    void aCsvFileHasItsColumnsInTheFirstLine() throws IOException {
        Rows rows = read("in.CSV", "a,b\n1,2\n\n3,4\n");
        assertThat(rows.columns()).containsExactly("a", "b");
        assertThat(rows.lines()).containsExactly("1,2", "3,4");
    }

    @Test
    void anyOtherFileIsText() throws IOException {
        Rows rows = read("in.txt", "one, two\nthree", "--records", "1");
        assertThat(rows.columns()).containsExactly("text");
        assertThat(rows.lines()).containsExactly("one, two");
    }

    @Test
    void aFileWithoutRowsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("in.csv", "a,b\n"))
                .withMessageContaining("no row in it");
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() {
        Path file = folder.resolve("in.txt");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    Files.write(file, new byte[] {'a', (byte) 0xff});
                    Rows.read(Arguments.parse("--input", file.toString()));
                })
                .withMessageContaining("UTF-8");
    }

    private Rows read(String name, String content, String... more) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, content, StandardCharsets.UTF_8);
        String[] args = new String[more.length + 2];
        args[0] = "--input";
        args[1] = file.toString();
        System.arraycopy(more, 0, args, 2, more.length);
        return Rows.read(Arguments.parse(args));
    }
}
