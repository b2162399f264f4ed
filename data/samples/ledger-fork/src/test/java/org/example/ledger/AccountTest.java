package org.example.ledger;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.junit.Before;
import org.junit.Test;

public class AccountTest {
    private Account account;

    @Before
    public void openAccount() {
        account = new Account("17");
        account.deposit(1000, "start");
    }

    @Test
    public void testDeposit() {
        account.deposit(250, "cash");
        assertEquals(1250, account.balance());
    }

    @Test
    public void testWithdraw() {
        account.withdraw(400, "rent");
        assertEquals(600, account.balance());
        assertThrows(IllegalStateException.class, () -> account.withdraw(601, "too much"));
    }

    @Test
    public void testCanPay() {
        assertTrue(account.canPay(1000));
        assertFalse(account.canPay(1001));
        account.setOverdraftLimit(1);
        assertTrue(account.canPay(1001));
    }

    @Test
    public void testStatement() {
        account.withdraw(5, "fee");
        assertEquals("10.00 start\n-0.05 fee\nbalance 9.95", account.statement());
    }

    @Test(expected = UnsupportedOperationException.class)
    public void movementsCannotBeChangedFromOutside() {
        account.movements().clear();
    }

    @Test(expected = IllegalArgumentException.class)
    public void negativeLimitIsRefused() {
        account.setOverdraftLimit(-1);
    }
}
