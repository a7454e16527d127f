package io.github.kafkatxn;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The arrows of the design, and the public types, held by the build. */
@AnalyzeClasses(packages = "io.github.kafkatxn", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "io.github.kafkatxn.";

    /** A package uses only what stands to its left; those that do not exist yet are held from their first class on. */
    @ArchTest
    static final ArchRule aPackageUsesOnlyWhatStandsToItsLeft = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("io.github.kafkatxn..")
            .withOptionalLayers(true)
            .layer("result")
            .definedBy(ROOT + "result..")
            .layer("wire")
            .definedBy(ROOT + "internal.wire..")
            .layer("client")
            .definedBy(ROOT + "internal.client..")
            .layer("share")
            .definedBy(ROOT + "share..")
            .layer("producer")
            .definedBy(ROOT + "producer..")
            .layer("processor")
            .definedBy(ROOT + "processor..")
            .layer("metrics")
            .definedBy(ROOT + "metrics..")
            .whereLayer("wire")
            .mayOnlyBeAccessedByLayers("share", "producer", "processor", "metrics")
            .whereLayer("client")
            .mayOnlyBeAccessedByLayers("share", "producer", "processor", "metrics")
            .whereLayer("share")
            .mayOnlyBeAccessedByLayers("producer", "processor", "metrics")
            .whereLayer("producer")
            .mayOnlyBeAccessedByLayers("processor", "metrics")
            .whereLayer("processor")
            .mayOnlyBeAccessedByLayers("metrics")
            .whereLayer("metrics")
            .mayNotBeAccessedByAnyLayer()
            .ensureAllClassesAreContainedInArchitecture();

    @ArchTest
    static final ArchRule micrometerIsOptionalAndUsedInMetricsOnly = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "metrics..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micrometer..");

    @ArchTest
    static final ArchRule reflectionIsInInternalClientOnly = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "internal.client..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.lang.reflect..", "java.lang.invoke..", "sun..")
            .orShould()
            .callMethod(Class.class, "forName", String.class)
            .because("one class with one capability check is what has to be looked at when the client changes");

    @ArchTest
    static final ArchRule waitingIsDoneByTheRetryOrOnALock = noClasses()
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
    static void publicTypesAreAsReviewed(JavaClasses imported) {
        List<String> types = imported.stream()
                .filter(ArchitectureTest::isApi)
                .map(JavaClass::getName)
                .sorted()
                .toList();

        ReviewedFile.named("public-api.txt").mustBe(types, """
                The public types of the SDK have changed. Whatever is public has to be kept for years: make it \
                package-private unless a user needs its name, and look at its Javadoc before you accept it.""");
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
