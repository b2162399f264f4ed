package org.example.interval;

import java.util.Objects;

/** A closed interval of real numbers, for arithmetic with bounds instead of exact values. */
public final class Interval {
    private final double low;
    private final double high;

    public Interval(double low, double high) {
        if (Double.isNaN(low) || Double.isNaN(high)) {
            throw new IllegalArgumentException("bounds must be numbers");
        }
        if (low > high) {
            throw new IllegalArgumentException(low + " is above " + high);
        }
        this.low = low;
        this.high = high;
    }

    /** The interval that holds one number only. */
    public static Interval of(double value) {
        return new Interval(value, value);
    }

    public double low() {
        return low;
    }

    public double high() {
        return high;
    }

    public double width() {
        return high - low;
    }

    public double midpoint() {
        return low + (high - low) / 2;
    }

    public Interval add(Interval other) {
        return new Interval(low + other.low, high + other.high);
    }

    public Interval subtract(Interval other) {
        return new Interval(low - other.high, high - other.low);
    }

    public Interval multiply(Interval other) {
        double a = low * other.low;
        double b = low * other.high;
        double c = high * other.low;
        double d = high * other.high;
        return new Interval(
                Math.min(Math.min(a, b), Math.min(c, d)), Math.max(Math.max(a, b), Math.max(c, d)));
    }

    public boolean contains(double value) {
        return low <= value && value <= high;
    }

    public boolean overlaps(Interval other) {
        return low <= other.high && other.low <= high;
    }

    /** The common part of both, or null when they have none. */
    public Interval intersect(Interval other) {
        if (!overlaps(other)) {
            return null;
        }
        return new Interval(Math.max(low, other.low), Math.min(high, other.high));
    }

    public Interval hull(Interval other) {
        return new Interval(Math.min(low, other.low), Math.max(high, other.high));
    }

    @Override
    public boolean equals(Object object) {
        if (!(object instanceof Interval)) {
            return false;
        }
        Interval other = (Interval) object;
        return low == other.low && high == other.high;
    }

    @Override
    public int hashCode() {
        return Objects.hash(low, high);
    }

    @Override
    public String toString() {
        return "[" + low + ", " + high + "]";
    }
}
