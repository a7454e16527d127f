package io.github.kafkatxn.examples;

import io.github.kafkatxn.examples.job.Arguments;
import io.github.kafkatxn.examples.job.Job;
import io.github.kafkatxn.examples.job.Rows;
import java.io.PrintStream;

/**
 * Runs {@link RowsToEvents} in two instances on real rows, kills, fences and poisons it meanwhile, and counts what came
 * out: the last line says whether every row is there once. With {@code share} as its first argument it does so with
 * {@link RowWorkers}. Exit status 0 if every row is there as promised, 1 if not, 2 for wrong arguments.
 */
public final class Main {
    private Main() {}

    /**
     * Runs the job.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        int status = run(args, System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        Arguments arguments;
        Rows rows;
        try {
            arguments = Arguments.parse(args);
            if (arguments.help()) {
                out.print(arguments.usage());
                return 0;
            }
            rows = Rows.read(arguments);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println("--help shows what there is.");
            return 2;
        }
        return new Job(arguments, rows, out, err).run();
    }
}
