package org.example.ledger;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import org.junit.Before;
import org.junit.Test;

public class LedgerTest {
    private Ledger ledger;

    @Before
    public void setUp() {
        ledger = new Ledger();
        ledger.open("a").deposit(500, "start");
        ledger.open("b").deposit(100, "start");
    }

    @Test
    public void testOpen() {
        Account account = ledger.open("c");
        assertSame(account, ledger.find("c"));
    }

    @Test
    public void testTransfer() {
        ledger.transfer("a", "b", 200);
        assertEquals(300, ledger.find("a").balance());
        assertEquals(300, ledger.find("b").balance());
    }

    @Test
    public void transfersKeepTheSum() {
        long before = ledger.total();
        ledger.transfer("a", "b", 50);
        assertEquals(before, ledger.total());
    }

    @Test
    public void testPayInterest() {
        ledger.payInterest(0.015);
        assertEquals(608, ledger.total());
    }

    @Test
    public void unknownAccountsAreReported() {
        assertThrows(IllegalArgumentException.class, () -> ledger.find("z"));
    }
}
