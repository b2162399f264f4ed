package org.example.interval;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import org.junit.Before;
import org.junit.Test;

public class IntervalTest {
    private static final double EXACT = 0.0;

    private Interval unit;
    private Interval wide;

    @Before
    public void setUp() {
        unit = new Interval(0, 1);
        wide = new Interval(-2, 3);
    }

    @Test
    public void testAdd() {
        assertEquals(new Interval(-2, 4), unit.add(wide));
    }

    @Test
    public void testSubtract() {
        Interval difference = unit.subtract(wide);
        assertEquals(-3, difference.low(), EXACT);
        assertEquals(3, difference.high(), EXACT);
    }

    @Test
    public void testMultiply() {
        assertEquals(new Interval(-6, 9), wide.multiply(wide));
        assertEquals(wide, wide.multiply(Interval.of(1)));
    }

    @Test
    public void width() {
        assertEquals(1, unit.width(), EXACT);
        assertEquals(5, wide.width(), EXACT);
    }

    @Test
    public void midpointTest() {
        assertEquals(0.5, unit.midpoint(), EXACT);
    }

    @Test
    public void boundsBelongToTheInterval() {
        assertTrue(unit.contains(0));
        assertTrue(unit.contains(1));
        assertFalse(unit.contains(1.5));
    }

    @Test
    public void testIntersect() {
        Interval common = wide.intersect(new Interval(1, 10));
        assertEquals(new Interval(1, 3), common);
        assertNull(unit.intersect(new Interval(5, 6)));
    }

    @Test
    public void touchingIntervalsAreNotApart() {
        Interval next = new Interval(1, 2);
        assertTrue(unit.overlaps(next));
    }

    @Test
    public void testSumIsWiderThanItsParts() {
        Interval sum = unit.add(wide);
        assertTrue(sum.width() >= unit.width());
        assertTrue(sum.width() >= wide.width());
    }

    @Test(expected = IllegalArgumentException.class)
    public void reversedBoundsAreRefused() {
        new Interval(2, 1);
    }
}
