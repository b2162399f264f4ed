package org.example.text;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines of a bounded width. */
public class Wrapper {
    private final int width;
    private String indent = "";

    public Wrapper(int width) {
        if (width < 1) {
            throw new IllegalArgumentException("width must be positive: " + width);
        }
        this.width = width;
    }

    public Wrapper indent(String indent) {
        if (indent.length() >= width) {
            throw new IllegalArgumentException("the indent leaves no room for text");
        }
        this.indent = indent;
        return this;
    }

    /** Breaks at spaces; a word that is longer than a line is cut. */
    public List<String> wrap(String text) {
        return wrap(text, width - indent.length());
    }

    private List<String> wrap(String text, int room) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.trim().split("\\s+")) {
            String rest = word;
            if (line.length() > 0 && line.length() + 1 + rest.length() > room) {
                lines.add(indent + line);
                line.setLength(0);
            }
            while (rest.length() > room) {
                lines.add(indent + rest.substring(0, room));
                rest = rest.substring(room);
            }
            if (line.length() > 0) {
                line.append(' ');
            }
            line.append(rest);
        }
        if (line.length() > 0) {
            lines.add(indent + line);
        }
        return lines;
    }

    public String fill(String text) {
        return String.join("\n", wrap(text));
    }

    /** Cuts the text to one line and marks the cut with dots. */
    public String shorten(String text) {
        String flat = text.trim().replaceAll("\\s+", " ");
        if (flat.length() <= width) {
            return flat;
        }
        if (width <= 3) {
            return ".".repeat(width);
        }
        return flat.substring(0, width - 3) + "...";
    }

    public String center(String text) {
        int room = width - text.length();
        if (room <= 0) {
            return text;
        }
        return " ".repeat(room / 2) + text + " ".repeat(room - room / 2);
    }

    public static int countWords(String text) {
        String trimmed = text.trim();
        return trimmed.isEmpty() ? 0 : trimmed.split("\\s+").length;
    }
}
