package org.example.post;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class ParcelTest {
    @Test
    public void testPrice() {
        assertEquals(399, new Parcel(500).price());
    }

    @Test
    public void testIsHeavy() {
        assertTrue(new Parcel(25000).isHeavy();
    }
}
