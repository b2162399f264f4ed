package org.example.post;

import java.util.Locale;

/** The address on a parcel, e.g. for Müller & Söhne, Straße des Übergangs 3, Köln. */
public class Label {
    private final String name;
    private final String street;
    private final String city;

    public Label(String name, String street, String city) {
        this.name = name;
        this.street = street;
        this.city = city;
    }

    public String firstLine() {
        return name.trim();
    }

    /** Sorting machines read capital ASCII letters only. */
    public static String plain(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        return upper.replace("Ä", "AE").replace("Ö", "OE").replace("Ü", "UE").replace("É", "E");
    }

    public String sortKey() {
        return plain(city) + "/" + plain(street);
    }

    public boolean fits(int width) {
        return name.length() <= width && street.length() <= width && city.length() <= width;
    }

    public String render() {
        return name + "\n" + street + "\n" + city;
    }
}
