package org.example.cache;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** A map of bounded size that forgets the entry that was used the longest time ago. */
public class LruCache<K, V> {
    private final int capacity;
    private final Map<K, Entry<K, V>> entries = new HashMap<>();
    private Entry<K, V> newest;
    private Entry<K, V> oldest;
    private long hits;
    private long misses;

    public LruCache(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be positive");
        }
        this.capacity = capacity;
    }

    public V get(K key) {
        Entry<K, V> entry = entries.get(key);
        if (entry == null) {
            misses++;
            return null;
        }
        hits++;
        touch(entry);
        return entry.value;
    }

    public V get(K key, Function<K, V> loader) {
        V value = get(key);
        if (value == null) {
            value = loader.apply(key);
            put(key, value);
        }
        return value;
    }

    public void put(K key, V value) {
        Entry<K, V> entry = entries.get(key);
        if (entry != null) {
            entry.value = value;
            touch(entry);
            return;
        }
        if (entries.size() == capacity) {
            evict();
        }
        entry = new Entry<>(key, value);
        entries.put(key, entry);
        link(entry);
    }

    public boolean remove(K key) {
        Entry<K, V> entry = entries.remove(key);
        if (entry == null) {
            return false;
        }
        unlink(entry);
        return true;
    }

    /** Forgets the oldest entry and returns its key, or null when there is none. */
    public K evict() {
        if (oldest == null) {
            return null;
        }
        K key = oldest.key;
        remove(key);
        return key;
    }

    public int size() {
        return entries.size();
    }

    public double hitRate() {
        long reads = hits + misses;
        return reads == 0 ? 0 : (double) hits / reads;
    }

    public void clear() {
        entries.clear();
        newest = null;
        oldest = null;
    }

    private void touch(Entry<K, V> entry) {
        unlink(entry);
        link(entry);
    }

    private void link(Entry<K, V> entry) {
        entry.older = newest;
        entry.newer = null;
        if (newest != null) {
            newest.newer = entry;
        }
        newest = entry;
        if (oldest == null) {
            oldest = entry;
        }
    }

    private void unlink(Entry<K, V> entry) {
        if (entry.older == null) {
            oldest = entry.newer;
        } else {
            entry.older.newer = entry.newer;
        }
        if (entry.newer == null) {
            newest = entry.older;
        } else {
            entry.newer.older = entry.older;
        }
    }

    private static final class Entry<K, V> {
        private final K key;
        private V value;
        private Entry<K, V> older;
        private Entry<K, V> newer;

        private Entry(K key, V value) {
            this.key = key;
            this.value = value;
        }
    }
}
