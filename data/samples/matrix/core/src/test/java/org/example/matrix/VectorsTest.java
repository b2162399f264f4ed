package org.example.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class VectorsTest {
    @Test
    void testDot() {
        assertEquals(11, Vectors.dot(new double[] {1, 2}, new double[] {3, 4}));
    }

    @Test
    void testNorm() {
        assertEquals(5, Vectors.norm(new double[] {3, 4}));
        assertEquals(7, Vectors.norm(new double[] {3, -4}, 1));
    }
}
