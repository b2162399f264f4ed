package org.example.contest;

/** The points of one player. */
public record Standing(String player, int points) implements Ranked {
    public Standing plus(int more) {
        return new Standing(player, points + more);
    }
}
