package io.github.kafkatxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README shows is what compiles. */
class ReadmeTest {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Path MODULE = Path.of("").toAbsolutePath();

    @Test
    void everyJavaBlockIsPartOfCompiledCode() throws IOException {
        Path code = MODULE.resolve("src/test/java/io/github/kafkatxn/examples");
        String compiled = squeezed(Files.readString(code.resolve("ReadmeCode.java"))
                + Files.readString(code.resolve("InDoubtCommitTest.java")));

        List<String> blocks = blocks();

        assertThat(blocks).isNotEmpty();
        assertThat(blocks).allSatisfy(block -> assertThat(compiled).contains(squeezed(block)));
    }

    private static List<String> blocks() throws IOException {
        Matcher matcher = JAVA_BLOCK.matcher(Files.readString(MODULE.resolveSibling("README.md")));
        List<String> blocks = new ArrayList<>();
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        return blocks;
    }

    /** Line breaks are the formatter's business on the one side and the reader's on the other. */
    private static String squeezed(String code) {
        return code.replaceAll("\\s+", "");
    }
}
