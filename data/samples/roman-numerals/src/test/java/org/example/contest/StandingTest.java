package org.example.contest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StandingTest {
    @Test
    void testPlus() {
        assertEquals(7, new Standing("ada", 5).plus(2).points());
    }

    @Test
    void testBeats() {
        assertTrue(new Standing("ada", 5).beats(new Standing("bob", 4)));
    }
}
