package io.github.kafkatxn.examples.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

    @Test
    void nothingIsTheBundledInputOnThreeBrokers() {
        Arguments arguments = Arguments.parse();
        assertThat(arguments.bootstrapServers()).isEmpty();
        assertThat(arguments.input()).isEmpty();
        assertThat(arguments.kafka()).isEqualTo(Arguments.Kafka.REFERENCE);
        assertThat(arguments.brokers()).isEqualTo(3);
        assertThat(arguments.seconds()).isEqualTo(30);
        assertThat(arguments.records()).isEqualTo(Integer.MAX_VALUE);
        assertThat(arguments.keep()).isFalse();
        assertThat(arguments.help()).isFalse();
        assertThat(arguments.application()).isEqualTo(Application.ROWS_TO_EVENTS);
    }

    @Test
    void shareComesFirstAndTakesTheSameOptions() {
        Arguments arguments = Arguments.parse("share", "--kafka=apache", "--records", "500");
        assertThat(arguments.application()).isEqualTo(Application.ROW_WORKERS);
        assertThat(arguments.kafka()).isEqualTo(Arguments.Kafka.APACHE);
        assertThat(arguments.records()).isEqualTo(500);
        refused("unknown argument share", "--keep", "share");
        refused("unknown argument shared", "shared");
        refused("--records 5: allowed is 200 to", "share", "--records", "5");
    }

    @Test
    void takesAnInputAndACluster() {
        Arguments arguments = Arguments.parse(
                "--input", "in.csv", "--bootstrap-servers", "a:1,b:2", "--records", "500", "--seconds", "7", "--keep");
        assertThat(arguments.input()).contains(Path.of("in.csv"));
        assertThat(arguments.bootstrapServers()).contains("a:1,b:2");
        assertThat(arguments.records()).isEqualTo(500);
        assertThat(arguments.seconds()).isEqualTo(7);
        assertThat(arguments.keep()).isTrue();
    }

    @Test
    void aValueMayFollowAnEqualsSign() {
        Arguments arguments = Arguments.parse("--kafka=apache", "--records=500", "--input=a=b.csv");
        assertThat(arguments.kafka()).isEqualTo(Arguments.Kafka.APACHE);
        assertThat(arguments.records()).isEqualTo(500);
        assertThat(arguments.input()).contains(Path.of("a=b.csv"));
    }

    @Test
    void whatIsWrongIsNamed() {
        refused("unknown argument --broker", "--broker", "1");
        refused("--input needs a value", "--input");
        refused("--input needs a value", "--input", "--keep");
        refused("--brokers 0: allowed is 1 to 3", "--brokers", "0");
        refused("--brokers three: a number from 1 to 3", "--brokers", "three");
        refused("--kafka real: reference or apache", "--kafka=real");
        refused("--kafka and --bootstrap-servers", "--kafka", "apache", "--bootstrap-servers", "a:1");
        refused("--bootstrap-servers localhost: HOST:PORT", "--bootstrap-servers", "localhost");
        refused("--bootstrap-servers a:1,: HOST:PORT", "--bootstrap-servers", "a:1,");
        refused("--records 5: allowed is 200 to", "--records", "5");
        refused("ports are from 1 to 65535, not 65536", "--bootstrap-servers", "a:1,b:65536");
        refused("ports are from 1 to 65535, not 0", "--bootstrap-servers", "a:0");
        refused("not both", "--bootstrap-servers", "a:1", "--brokers", "1");
        refused("--keep is for --bootstrap-servers", "--keep");
    }

    private static void refused(String message, String... args) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.parse(args))
                .withMessageContaining(message);
    }
}
