package org.example.ledger;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One account: its balance in cents and every movement that led to it. */
public class Account {
    private final String number;
    private final List<Movement> movements = new ArrayList<>();
    private long overdraftLimit;

    public Account(String number) {
        this.number = number;
    }

    public String getNumber() {
        return number;
    }

    public void setOverdraftLimit(long cents) {
        if (cents < 0) {
            throw new IllegalArgumentException("a limit is not negative");
        }
        overdraftLimit = cents;
    }

    public void deposit(long cents, String text) {
        if (cents <= 0) {
            throw new IllegalArgumentException("a deposit must be positive");
        }
        movements.add(new Movement(cents, text));
    }

    public void withdraw(long cents, String text) {
        if (cents <= 0) {
            throw new IllegalArgumentException("a withdrawal must be positive");
        }
        if (!canPay(cents)) {
            throw new IllegalStateException("account " + number + " has no cover for " + cents);
        }
        movements.add(new Movement(-cents, text));
    }

    public boolean canPay(long cents) {
        return balance() + overdraftLimit >= cents;
    }

    public long balance() {
        long sum = 0;
        for (Movement movement : movements) {
            sum += movement.cents();
        }
        return sum;
    }

    public List<Movement> movements() {
        return Collections.unmodifiableList(movements);
    }

    public String statement() {
        StringBuilder lines = new StringBuilder();
        for (Movement movement : movements) {
            lines.append(movement.describe()).append('\n');
        }
        return lines.append("balance ").append(Movement.format(balance())).toString();
    }
}
