package org.example.contest;

/** Something with points. */
public interface Ranked {
    int points();

    default boolean beats(Ranked other) {
        return points() > other.points();
    }
}
