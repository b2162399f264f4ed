package org.example.number;

/** Common divisors of whole numbers. */
public final class Divisor {
    private Divisor() {}

    public static long gcd(long a, long b) {
        long x = Math.abs(a);
        long y = Math.abs(b);
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return x;
    }

    public static long lcm(long a, long b) {
        if (a == 0 || b == 0) {
            return 0;
        }
        return Math.abs(a / gcd(a, b) * b);
    }
}
