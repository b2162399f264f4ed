package org.example.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

class MatrixTest {
    private final Matrix square = new Matrix(new double[][] {{1, 2}, {3, 4}});

    @Test
    void testAdd() {
        assertEquals(new Matrix(new double[][] {{2, 2}, {3, 5}}), square.add(Matrix.identity(2)));
    }

    @Test
    void testMultiply() {
        Matrix product = square.multiply(square);
        assertEquals(7, product.get(0, 0));
        assertEquals(22, product.get(1, 1));
    }

    @Test
    void testTranspose() {
        assertEquals(3, square.transpose().get(0, 1));
    }

    @Test
    void diagonalIsSummed() {
        assertEquals(5, square.trace());
    }

    @Test
    void scalingIsRepeatedAddition() {
        Matrix twice = square.add(square);
        assertEquals(twice, square.scale(2));
        assertEquals(twice, square.multiply(Matrix.identity(2).scale(2)));
    }

    @Test
    void shapesMustAgree() {
        Matrix row = new Matrix(1, 3);
        assertThrows(IllegalArgumentException.class, () -> row.add(square));
        assertThrows(IllegalArgumentException.class, () -> row.multiply(square));
    }

    @Test
    void javaFloatingPointIsNotExact() {
        double tenth = 0.1;
        assertEquals(0.30000000000000004, tenth + tenth + tenth);
    }

    @Disabled("no inverse yet")
    @Test
    void testInvert() {}
}
