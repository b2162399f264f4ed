package org.example.roman;

/** The letters and letter pairs that numerals are made of, largest first. */
public enum Letter {
    M(1000, "M"),
    CM(900, "CM"),
    D(500, "D"),
    CD(400, "CD"),
    C(100, "C"),
    XC(90, "XC"),
    L(50, "L"),
    XL(40, "XL"),
    X(10, "X"),
    IX(9, "IX"),
    V(5, "V"),
    IV(4, "IV"),
    I(1, "I");

    private final int value;
    private final String symbol;

    Letter(int value, String symbol) {
        this.value = value;
        this.symbol = symbol;
    }

    public int value() {
        return value;
    }

    public String symbol() {
        return symbol;
    }

    public boolean isPair() {
        return symbol.length() == 2;
    }
}
