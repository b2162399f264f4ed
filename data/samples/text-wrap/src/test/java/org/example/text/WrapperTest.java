package org.example.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrapperTest {
    private Wrapper narrow;

    @BeforeEach
    void createWrapper() {
        narrow = new Wrapper(10);
    }

    @Test
    void testWrap() {
        assertEquals(List.of("the quick", "brown fox"), narrow.wrap("the quick brown fox"));
    }

    @Test
    @DisplayName("fill joins the lines")
    void fill() {
        assertEquals("the quick\nbrown", narrow.fill("the quick brown"));
    }

    @Test
    void testShorten() {
        assertEquals("short", narrow.shorten("  short "));
        assertEquals("a longe...", narrow.shorten("a longer line"));
    }

    @Test
    void oddRoomGoesToTheRight() {
        String centered = narrow.center("abc");
        assertEquals("   abc    ", centered);
    }

    @Test
    void testCountWords() {
        assertEquals(0, Wrapper.countWords("   "));
        assertEquals(3, Wrapper.countWords("one  two three"));
    }

    @ParameterizedTest
    @CsvSource({"a, 1", "a b, 2", "a b c, 3"})
    void countsWordsBetweenSpaces(String text, int expected) {
        assertEquals(expected, Wrapper.countWords(text));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void widthMustBePositive(int width) {
        assertThrows(IllegalArgumentException.class, () -> new Wrapper(width));
    }

    @Nested
    class WithIndent {
        private Wrapper indented;

        @BeforeEach
        void indent() {
            indented = new Wrapper(8).indent("> ");
        }

        @Test
        void wrap() {
            assertEquals(List.of("> a quote", "> here"), new Wrapper(9).indent("> ").wrap("a quote here"));
        }

        @Test
        void everyLineIsIndented() {
            for (String line : indented.wrap("several words on lines")) {
                assertTrue(line.startsWith("> "));
            }
        }

        @Nested
        class AndLongWords {
            @Test
            void longWordsAreCut() {
                assertEquals(List.of("> abcdef", "> gh"), indented.wrap("abcdefgh"));
            }
        }
    }
}
