package org.example.roman;

/** Conversion between whole numbers and Roman numerals. */
public class Roman {
    private static final Letter[] LETTERS = Letter.values();

    public String format(int number) {
        if (number < 1 || number > 3999) {
            throw new IllegalArgumentException("no Roman numeral for " + number);
        }
        StringBuilder text = new StringBuilder();
        int rest = number;
        for (Letter letter : LETTERS) {
            while (rest >= letter.value()) {
                text.append(letter.symbol());
                rest -= letter.value();
            }
        }
        return text.toString();
    }

    public int parse(String text) {
        int sum = 0;
        int position = 0;
        for (Letter letter : LETTERS) {
            while (text.startsWith(letter.symbol(), position)) {
                sum += letter.value();
                position += letter.symbol().length();
            }
        }
        if (position != text.length()) {
            throw new NumberFormatException("not a Roman numeral: " + text);
        }
        return sum;
    }

    public boolean isValid(String text) {
        try {
            return format(parse(text)).equals(text);
        } catch (IllegalArgumentException error) {
            return false;
        }
    }

    /** The larger of two numerals. */
    public String latest(String a, String b) {
        return parse(a) >= parse(b) ? a : b;
    }
}
