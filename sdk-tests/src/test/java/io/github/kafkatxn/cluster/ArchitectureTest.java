package io.github.kafkatxn.cluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The arrows of the reference cluster, and its public types, held by the build. */
@AnalyzeClasses(packages = "io.github.kafkatxn.cluster", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "io.github.kafkatxn.cluster.";
    private static final Path PUBLIC = Path.of("src", "test", "resources", "cluster-api.txt");

    /** A package uses only what stands to its left; those that do not exist yet are held from their first class on. */
    @ArchTest
    static final ArchRule aPackageUsesOnlyWhatStandsToItsLeft = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("io.github.kafkatxn.cluster..")
            .withOptionalLayers(true)
            .layer("wire")
            .definedBy(ROOT + "internal.wire..")
            .layer("metadata")
            .definedBy(ROOT + "internal.metadata..")
            .layer("node")
            .definedBy(ROOT + "internal.node..")
            .layer("log")
            .definedBy(ROOT + "internal.log..")
            .layer("txn")
            .definedBy(ROOT + "internal.txn..")
            .layer("group")
            .definedBy(ROOT + "internal.group..")
            .layer("share")
            .definedBy(ROOT + "internal.share..")
            .layer("api")
            .definedBy(ROOT + "internal.api..")
            .layer("fault")
            .definedBy(ROOT + "fault..")
            .layer("faults")
            .definedBy(ROOT + "internal.fault..")
            .layer("net")
            .definedBy(ROOT + "internal.net..")
            .layer("cluster")
            .definedBy("io.github.kafkatxn.cluster")
            .layer("junit")
            .definedBy(ROOT + "junit..")
            .whereLayer("log")
            .mayOnlyBeAccessedByLayers("txn", "group", "share", "api", "net", "cluster")
            .whereLayer("txn")
            .mayOnlyBeAccessedByLayers("api", "faults", "net", "cluster")
            .whereLayer("group")
            .mayOnlyBeAccessedByLayers("api", "net", "cluster")
            .whereLayer("share")
            .mayOnlyBeAccessedByLayers("api", "net", "cluster")
            .whereLayer("api")
            .mayOnlyBeAccessedByLayers("net", "cluster")
            .whereLayer("fault")
            .mayOnlyBeAccessedByLayers("faults", "net", "cluster", "junit")
            .whereLayer("faults")
            .mayOnlyBeAccessedByLayers("net", "cluster")
            .whereLayer("net")
            .mayOnlyBeAccessedByLayers("cluster")
            .whereLayer("cluster")
            .mayOnlyBeAccessedByLayers("junit")
            .whereLayer("junit")
            .mayNotBeAccessedByAnyLayer()
            .ensureAllClassesAreContainedInArchitecture();

    @ArchTest
    static final ArchRule whatAPlanIsMadeOfKnowsNothingOfTheNodes = noClasses()
            .that()
            .resideInAPackage(ROOT + "fault..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + "internal..");

    @ArchTest
    static final ArchRule belowTheSocketsNothingLocksAndNothingWaits = noClasses()
            .that()
            .resideInAnyPackage(
                    ROOT + "internal.wire..",
                    ROOT + "internal.metadata..",
                    ROOT + "internal.node..",
                    ROOT + "internal.log..",
                    ROOT + "internal.txn..",
                    ROOT + "internal.group..",
                    ROOT + "internal.share..",
                    ROOT + "internal.api..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.concurrent.locks..")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.util\\.concurrent\\.(CountDownLatch|Semaphore|.*BlockingQueue|.*Future)")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class)
            .because("one thread per node owns all its state");

    @ArchTest
    static final ArchRule nothingSleeps = noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class)
            .orShould()
            .callMethod(TimeUnit.class, "sleep", long.class)
            .because("every wait has a deadline and can be ended");

    @ArchTest
    static final ArchRule loggingGoesToSlf4j = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.logging..", "org.apache.log4j..")
            .orShould()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err");

    @ArchTest
    static void publicTypesAreAsReviewed(JavaClasses imported) throws IOException {
        List<String> types = imported.stream()
                .filter(ArchitectureTest::isApi)
                .map(JavaClass::getName)
                .sorted()
                .toList();
        List<String> reviewed = Files.readAllLines(PUBLIC).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();

        assertThat(types).as("""
                The public types of the reference cluster, as in %s. Whatever is public has to be kept for years: make \
                it package-private unless a test needs its name, and look at its Javadoc before you accept it.""", PUBLIC).isEqualTo(reviewed);
    }

    private static boolean isApi(JavaClass type) {
        boolean internal = type.getPackageName().startsWith(ROOT + "internal");
        boolean described = type.getSimpleName().equals("package-info");
        return !internal && !described && isVisible(type);
    }

    /** A nested type is as visible as everything around it. */
    private static boolean isVisible(JavaClass type) {
        boolean own = type.getModifiers().contains(JavaModifier.PUBLIC)
                || type.getModifiers().contains(JavaModifier.PROTECTED);
        return own && type.getEnclosingClass().map(ArchitectureTest::isVisible).orElse(true);
    }
}
