package org.example.ledger;

/** One booking on an account; negative when money leaves it. */
public class Movement {
    private final long cents;
    private final String text;

    public Movement(long cents, String text) {
        this.cents = cents;
        this.text = text;
    }

    public long cents() {
        return cents;
    }

    public boolean isDebit() {
        return cents < 0;
    }

    public String describe() {
        return format(cents) + " " + text;
    }

    public static String format(long cents) {
        String sign = cents < 0 ? "-" : "";
        long amount = Math.abs(cents);
        return String.format("%s%d.%02d", sign, amount / 100, amount % 100);
    }
}
