package org.example.post;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Before;
import org.junit.Test;

public class LabelTest {
    private Label label;

    @Before
    public void setUp() {
        label = new Label(" Ada Example ", "Long Lane 1", "Springfield");
    }

    @Test
    public void testFirstLine() {
        assertEquals("Ada Example", label.firstLine());
    }

    @Test
    public void testPlain() {
        assertEquals("CAFE", Label.plain("caf\u00e9"));
        assertEquals("KOELN", Label.plain("K\u00f6ln"));
    }

    @Test
    public void sortKeyTest() {
        assertEquals("SPRINGFIELD/LONG LANE 1", label.sortKey());
    }

    @Test
    public void longNamesNeedWideLabels() {
        assertTrue(label.fits(13));
        assertFalse(label.fits(12));
    }
}
