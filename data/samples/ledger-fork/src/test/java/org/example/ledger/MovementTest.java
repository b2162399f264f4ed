package org.example.ledger;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class MovementTest {
    @Test
    public void testFormat() {
        assertEquals("0.07", Movement.format(7));
        assertEquals("-12.30", Movement.format(-1230));
    }

    @Test
    public void testDescribe() {
        assertEquals("3.50 coffee", new Movement(350, "coffee").describe());
    }

    @Test
    public void moneyThatLeavesIsADebit() {
        assertTrue(new Movement(-1, "fee").isDebit());
        assertFalse(new Movement(1, "gift").isDebit());
    }
}
