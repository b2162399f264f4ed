package org.example.post;

/** Left unfinished on purpose: this file does not parse as a whole. */
public class Parcel {
    private final int grams;

    public Parcel(int grams) {
        this.grams = grams;
    }

    public int price() {
        if (grams < 1000 {
            return 399;
        }
        return 699;
    }

    public boolean isHeavy() {
        return grams > 20000;
    }
}
