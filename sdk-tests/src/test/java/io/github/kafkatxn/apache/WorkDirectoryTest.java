package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WorkDirectoryTest {

    @Test
    void liesInTheTargetFolderAndIsDeletedWithWhatIsInIt() throws Exception {
        WorkDirectory work = WorkDirectory.create();
        Path log = Files.writeString(work.createNode(1).resolve("server.log"), "line");

        work.close();

        assertThat(log.startsWith(Path.of("target", "apache-kafka").toAbsolutePath()))
                .isTrue();
        assertThat(work.path()).doesNotExist();
    }

    @Test
    void isKeptOnRequest() throws Exception {
        WorkDirectory work = WorkDirectory.create();

        work.keep();
        work.close();

        assertThat(work.path()).isDirectory();
        Files.delete(work.path());
    }
}
