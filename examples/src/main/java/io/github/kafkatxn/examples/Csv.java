package io.github.kafkatxn.examples;

import java.util.ArrayList;
import java.util.List;

/** Comma-separated values, one row a line: fields may be quoted, and a quote in a quoted field is doubled. */
public final class Csv {
    private Csv() {}

    /**
     * The fields of a row.
     *
     * @param row one line
     * @return its fields, trimmed and without their quotes
     * @throws IllegalArgumentException if a quote is left open
     */
    public static List<String> fields(String row) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < row.length(); i++) {
            char c = row.charAt(i);
            if (c == '"' && quoted && i + 1 < row.length() && row.charAt(i + 1) == '"') {
                field.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString().trim());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        if (quoted) {
            throw new IllegalArgumentException("a quote is left open in the row " + row);
        }
        fields.add(field.toString().trim());
        return fields;
    }
}
