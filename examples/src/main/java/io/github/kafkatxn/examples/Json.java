package io.github.kafkatxn.examples;

import java.util.List;
import java.util.regex.Pattern;

/** Writes rows as JSON objects. */
final class Json {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,14})(\\.\\d{1,15})?");
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}&&[^\\t]]");

    private Json() {}

    /**
     * An object with a member for each column: a number where the field is one, null where it is empty, else text.
     *
     * @throws IllegalArgumentException if there are more or fewer fields than columns, or if a field is not text
     */
    static String object(List<String> columns, List<String> fields) {
        if (fields.size() != columns.size()) {
            throw new IllegalArgumentException(
                    fields.size() + " fields where there are " + columns.size() + " columns");
        }
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < fields.size(); i++) {
            json.append(i == 0 ? "" : ",");
            text(json, columns.get(i));
            json.append(':');
            value(json, fields.get(i));
        }
        return json.append('}').toString();
    }

    private static void value(StringBuilder json, String field) {
        if (field.isEmpty()) {
            json.append("null");
        } else if (NUMBER.matcher(field).matches()) {
            json.append(field);
        } else {
            text(json, field);
        }
    }

    private static void text(StringBuilder json, String text) {
        if (CONTROL.matcher(text).find()) {
            throw new IllegalArgumentException("a control character, which no text has");
        }
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> json.append('\\').append(c);
                case '\t' -> json.append("\\t");
                default -> json.append(c);
            }
        }
        json.append('"');
    }
}
