package org.example.post;

/** A postcode of five digits. */
public class Postcode {
    private final int number;

    private Postcode(int number) {
        this.number = number;
    }

    public static Postcode parse(String text) {
        String digits = text.trim();
        if (!digits.matches("[0-9]{5}")) {
            throw new IllegalArgumentException("not a postcode: " + text);
        }
        return new Postcode(Integer.parseInt(digits));
    }

    public int region() {
        return number / 10000;
    }

    public int distanceTo(Postcode other) {
        return Math.abs(number - other.number);
    }

    public boolean isNear(Postcode other) {
        return region() == other.region() && distanceTo(other) < 1000;
    }

    @Override
    public String toString() {
        return String.format("%05d", number);
    }
}
