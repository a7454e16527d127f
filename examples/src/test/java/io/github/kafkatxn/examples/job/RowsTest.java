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
    private static final String MANY = "x,y\n".repeat(Rows.MIN_ROWS);

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
        Rows rows = read("in.CSV", "a,b\n1,2\n\n3,4\n" + MANY);
        assertThat(rows.columns()).containsExactly("a", "b");
        assertThat(rows.lines()).startsWith("1,2", "3,4").hasSize(Rows.MIN_ROWS + 2);
    }

    @Test
    void anyOtherFileIsText() throws IOException {
        Rows rows = read("in.txt", "one, two\nthree\n" + MANY, "--records", "201");
        assertThat(rows.columns()).containsExactly("text");
        assertThat(rows.lines()).startsWith("one, two", "three").hasSize(201);
    }

    @Test
    void aFileWithTooFewRowsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("in.csv", "a,b\n1,2\n"))
                .withMessageContaining("in.csv: 1 rows; at least 200");
    }

    @Test
    void aFieldWithALineBreakIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("in.csv", "a,b\n1,2\n3,\"two\nlines\"\n" + MANY))
                .withMessageContaining("in.csv: row 2 leaves a quote open");
    }

    @Test
    void aFileOfMostlyRaggedRowsIsRefused() throws IOException {
        String ragged = "x,y,z\n".repeat(Rows.MIN_ROWS);
        assertThat(read("in.csv", "a,b\n" + MANY + ragged).lines()).hasSize(2 * Rows.MIN_ROWS);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("in.csv", "a,b\nx\n" + MANY + ragged))
                .withMessageContaining("in.csv: 200 of 401 rows have as many fields as the first line, 2");
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() {
        Path file = folder.resolve("in.txt");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    Files.write(file, new byte[] {'a', (byte) 0xff});
                    Rows.read(Arguments.parse("--input", file.toString()));
                })
                .withMessageContaining("it is not UTF-8 text");
    }

    @Test
    void aFolderIsRefusedByThatName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rows.read(Arguments.parse("--input", folder.toString())))
                .withMessageContaining("this is a folder");
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
