package org.example.post;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class PostcodeTest {
    @Test
    public void testParse() {
        assertEquals("01067", Postcode.parse(" 01067 ").toString());
    }

    @Test(expected = IllegalArgumentException.class)
    public void lettersAreRefused() {
        Postcode.parse("1O123");
    }

    @Test
    public void testIsNear() {
        Postcode here = Postcode.parse("50667");
        assertTrue(here.isNear(Postcode.parse("50999")));
        assertFalse(here.isNear(Postcode.parse("60999")));
    }

    @Test
    public void neighboursInDifferentRegions() {
        Postcode last = Postcode.parse("19999");
        Postcode first = Postcode.parse("20000");
        assertEquals(1, last.distanceTo(first));
        assertEquals(2, first.region());
    }
}
