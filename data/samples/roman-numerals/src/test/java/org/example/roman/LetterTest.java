package org.example.roman;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LetterTest {
    @Test
    void testIsPair() {
        assertTrue(Letter.IX.isPair());
        assertFalse(Letter.X.isPair());
    }

    @Test
    void testValue() {
        assertEquals(400, Letter.valueOf("CD").value());
    }
}
