package org.example.matrix;

/** Operations on plain arrays that stand for vectors. */
public final class Vectors {
    private Vectors() {}

    public static double dot(double[] a, double[] b) {
        if (a.length != b.length) {
            throw new IllegalArgumentException("lengths differ");
        }
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    public static double norm(double[] a) {
        return Math.sqrt(dot(a, a));
    }

    public static double norm(double[] a, double power) {
        double sum = 0;
        for (double value : a) {
            sum += Math.pow(Math.abs(value), power);
        }
        return Math.pow(sum, 1 / power);
    }
}
