package org.example.number;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

public class DivisorTest {
    @Test
    public void testGcd() {
        assertEquals(6, Divisor.gcd(54, 24));
        assertEquals(7, Divisor.gcd(0, -7));
    }

    @Test
    public void testLcm() {
        assertEquals(36, Divisor.lcm(12, 18));
        assertEquals(0, Divisor.lcm(0, 18));
    }
}
