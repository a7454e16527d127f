package io.github.kafkatxn.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads scenario files.
 *
 * <pre>
 * # a comment
 * sequence K retries: for v in 2..5, r in COMMIT ABORT
 * K2  Init v5                   -> NONE e0
 * K3  EndTxn v$v $r e0 waits    -> NONE
 * </pre>
 *
 * <p>A head starts a sequence and may give variables; there is one sequence for each combination. A line is an optional
 * label, the request, its version and its arguments: {@code key=value}, short {@code e0} for {@code e=0}, or a word
 * alone. After the arrow is what Kafka answers, as far as it matters.
 */
final class ScenarioParser {
    private static final Pattern HEAD = Pattern.compile("sequence ([^:]+?)(?:: for (.+))?");
    private static final Pattern VARIABLE = Pattern.compile("(\\w+) in (.+)");
    private static final Pattern RANGE = Pattern.compile("(\\d+)\\.\\.(\\d+)");
    private static final Pattern VERSION = Pattern.compile("v(\\d+)");
    private static final Pattern SHORT = Pattern.compile("([a-z]+)(-?\\d[\\d,]*)");
    private static final Pattern VARIABLE_USE = Pattern.compile("\\$(\\w+)");

    private final String file;
    private final List<Scenario> scenarios = new ArrayList<>();

    private ScenarioParser(String file) {
        this.file = file;
    }

    /** One request. */
    static Step line(String place, String text) {
        return parse(place, List.of("sequence one", text)).get(0).steps().get(0);
    }

    /** All sequences of a file. */
    static List<Scenario> parse(String file, List<String> lines) {
        ScenarioParser parser = new ScenarioParser(file);
        parser.parse(lines);
        return parser.scenarios;
    }

    private void parse(List<String> lines) {
        int head = -1;
        for (int i = 0; i <= lines.size(); i++) {
            boolean end = i == lines.size() || lines.get(i).startsWith("sequence");
            if (end && head >= 0) {
                sequence(head, lines.subList(head, i));
            }
            if (end) {
                head = i;
            } else if (head < 0 && isStep(lines.get(i))) {
                throw wrong(i, "a request before the first \"sequence NAME\"", lines.get(i));
            }
        }
    }

    private void sequence(int first, List<String> lines) {
        Matcher head = HEAD.matcher(lines.get(0).strip());
        if (!head.matches()) {
            throw wrong(first, "not \"sequence NAME\" or \"sequence NAME: for v in 0..5, r in A B\"", lines.get(0));
        }
        String variables = head.group(2) == null ? "" : head.group(2);
        for (Map<String, String> values : combinations(first, variables)) {
            List<Step> steps = new ArrayList<>();
            for (int i = 1; i < lines.size(); i++) {
                if (isStep(lines.get(i))) {
                    steps.add(step(first + i, lines.get(i), values));
                }
            }
            if (steps.isEmpty()) {
                throw wrong(first, "a sequence without requests", lines.get(0));
            }
            String name = file + " " + head.group(1) + (values.isEmpty() ? "" : " " + values);
            scenarios.add(new Scenario(name, place(first), steps));
        }
    }

    private List<Map<String, String>> combinations(int line, String text) {
        List<Map<String, String>> all = List.of(Map.of());
        for (String part : text.isEmpty() ? new String[0] : text.split(",\\s*")) {
            Matcher variable = VARIABLE.matcher(part.strip());
            if (!variable.matches()) {
                throw wrong(line, "not \"NAME in VALUES\"", part);
            }
            List<Map<String, String>> more = new ArrayList<>();
            for (Map<String, String> before : all) {
                values(variable.group(2)).forEach(value -> {
                    Map<String, String> with = new LinkedHashMap<>(before);
                    with.put(variable.group(1), value);
                    more.add(with);
                });
            }
            all = more;
        }
        return all;
    }

    private static Stream<String> values(String text) {
        return Arrays.stream(text.strip().split("\\s+")).flatMap(word -> {
            Matcher range = RANGE.matcher(word);
            return range.matches()
                    ? IntStream.rangeClosed(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)))
                            .mapToObj(Integer::toString)
                    : Stream.of(word);
        });
    }

    private Step step(int line, String raw, Map<String, String> variables) {
        String text = VARIABLE_USE.matcher(raw.strip()).replaceAll(use -> {
            String value = variables.get(use.group(1));
            if (value == null) {
                throw wrong(line, "a variable the head does not give", raw.strip());
            }
            return Matcher.quoteReplacement(value);
        });
        String[] sides = text.split("->", -1);
        if (sides.length > 2) {
            throw wrong(line, "more than one arrow", text);
        }
        List<String> words = new ArrayList<>(List.of(sides[0].strip().split("\\s+")));
        if (!Verb.ALL.containsKey(words.get(0))) {
            words.remove(0);
        }
        Verb verb = words.isEmpty() ? null : Verb.ALL.get(words.get(0));
        if (verb == null) {
            throw wrong(line, "no request; there are " + Verb.ALL.keySet(), text);
        }
        List<String> expected =
                sides.length == 1 ? List.of() : List.of(sides[1].strip().split("\\s+"));
        return arguments(line, text, verb, words.subList(1, words.size()), expected);
    }

    private Step arguments(int line, String text, Verb verb, List<String> words, List<String> expected) {
        Map<String, String> values = new HashMap<>();
        Set<String> flags = new HashSet<>();
        short version = -1;
        for (String word : words) {
            Matcher versionWord = VERSION.matcher(word);
            Matcher shortWord = SHORT.matcher(word);
            int equals = word.indexOf('=');
            if (versionWord.matches()) {
                version = Short.parseShort(versionWord.group(1));
            } else if (equals > 0) {
                values.put(word.substring(0, equals), word.substring(equals + 1));
            } else if (shortWord.matches()) {
                values.put(shortWord.group(1), shortWord.group(2));
            } else {
                flags.add(word);
            }
        }
        if (version < 0) {
            throw wrong(line, "no version, as in \"v5\"", text);
        }
        Stream.concat(values.keySet().stream(), flags.stream())
                .filter(word -> !verb.knows(word))
                .findFirst()
                .ifPresent(word -> {
                    throw wrong(line, word + " is none of " + new TreeSet<>(verb.words()), text);
                });
        return new Step(place(line), text, verb, version, values, flags, expected);
    }

    private static boolean isStep(String line) {
        return !line.isBlank() && !line.strip().startsWith("#");
    }

    private String place(int line) {
        return file + ":" + (line + 1);
    }

    private IllegalArgumentException wrong(int line, String why, String text) {
        return new IllegalArgumentException(place(line) + ": " + why + ": " + text);
    }
}
