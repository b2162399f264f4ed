package org.example.ledger;

import java.util.LinkedHashMap;
import java.util.Map;

/** The accounts of a bank, and transfers between them. */
public class Ledger {
    private final Map<String, Account> accounts = new LinkedHashMap<>();

    public Account open(String number) {
        if (accounts.containsKey(number)) {
            throw new IllegalStateException("account " + number + " exists");
        }
        Account account = new Account(number);
        accounts.put(number, account);
        return account;
    }

    public Account find(String number) {
        Account account = accounts.get(number);
        if (account == null) {
            throw new IllegalArgumentException("no account " + number);
        }
        return account;
    }

    public void transfer(String from, String to, long cents) {
        Account source = find(from);
        Account target = find(to);
        source.withdraw(cents, "to " + to);
        target.deposit(cents, "from " + from);
    }

    public long total() {
        long sum = 0;
        for (Account account : accounts.values()) {
            sum += account.balance();
        }
        return sum;
    }

    /** Pays interest on every account that is not in debt; parts of a cent are lost. */
    public void payInterest(double rate) {
        if (rate < 0) {
            throw new IllegalArgumentException("negative interest is not paid");
        }
        for (Account account : accounts.values()) {
            long interest = (long) (account.balance() * rate);
            if (interest > 0) {
                account.deposit(interest, "interest");
            }
        }
    }
}
