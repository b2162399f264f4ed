package org.example.roman;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RomanTest {
    private final Roman roman = new Roman();

    static Stream<Arguments> pairs() {
        return Stream.of(Arguments.of(4, "IV"), Arguments.of(1994, "MCMXCIV"), Arguments.of(3999, "MMMCMXCIX"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void formats(int number, String text) {
        assertEquals(text, roman.format(number));
    }

    @Test
    void testFormat() {
        assertEquals("XIV", roman.format(14));
        assertThrows(IllegalArgumentException.class, () -> roman.format(0));
    }

    @Test
    void testParse() {
        assertEquals(2024, roman.parse("MMXXIV"));
    }

    @Test
    void testIsValid() {
        assertTrue(roman.isValid("IX"));
        assertFalse(roman.isValid("VIIII"));
        assertFalse(roman.isValid("hello"));
    }

    @Test
    void testLatest() {
        assertEquals("X", roman.latest("IX", "X"));
    }

    @Test
    void unknownLettersAreRefused() {
        assertThrows(NumberFormatException.class, () -> roman.parse("ABC"));
    }

    @Test
    void readingUndoesWriting() {
        for (int number = 1; number < 4000; number++) {
            assertEquals(number, roman.parse(roman.format(number)));
        }
    }

    @TestFactory
    Stream<DynamicTest> allNumbersAreValid() {
        return IntStream.of(1, 40, 900)
                .mapToObj(
                        number ->
                                DynamicTest.dynamicTest(
                                        "number " + number,
                                        () -> assertTrue(roman.isValid(roman.format(number)))));
    }

    @RepeatedTest(3)
    void isStable() {
        assertEquals("I", roman.format(1));
    }
}
