package org.example.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LruCacheTest {
    private LruCache<String, Integer> cache;

    @BeforeEach
    void setUp() {
        cache = new LruCache<>(2);
        cache.put("one", 1);
        cache.put("two", 2);
    }

    @AfterEach
    void tearDown() {
        cache.clear();
    }

    @Test
    void testGet() {
        assertEquals(1, cache.get("one"));
        assertNull(cache.get("three"));
    }

    @Test
    void testPut() {
        cache.put("two", 22);
        assertEquals(22, cache.get("two"));
        assertEquals(2, cache.size());
    }

    @Test
    void testRemove() {
        assertTrue(cache.remove("one"));
        assertFalse(cache.remove("one"));
        assertEquals(1, cache.size());
    }

    @Test
    void evictTest() {
        cache.get("one");
        assertEquals("two", cache.evict());
        assertEquals("one", cache.evict());
        assertNull(cache.evict());
    }

    @Test
    void missingKeysAreLoaded() {
        int length = cache.get("three", String::length);
        assertEquals(5, length);
    }

    @Test
    void theOldestEntryMakesRoom() {
        cache.put("three", 3);
        assertNull(cache.get("one"));
        assertEquals(2, cache.get("two"));
    }

    @Test
    void testHitRate() {
        cache.get("one");
        cache.get("nothing");
        assertEquals(0.5, cache.hitRate());
    }

    @Test
    void startsWithTwoEntries() {
        assertEquals(2, cache.size());
    }

    @Test
    void capacityMustBePositive() {
        assertThrows(IllegalArgumentException.class, () -> new LruCache<String, String>(0));
    }

    @Test
    void testClear() {
        cache.clear();
        assertEquals(0, cache.size());
    }

    @Test
    void survivesManyThreads() {}
}
