// Package elapsed says durations in words.
package elapsed

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

type unit struct {
	name string
	size time.Duration
}

var units = []unit{
	{"day", 24 * time.Hour},
	{"hour", time.Hour},
	{"minute", time.Minute},
	{"second", time.Second},
}

// Words says a duration in its two largest units.
func Words(d time.Duration) string {
	if d < 0 {
		return "minus " + Words(-d)
	}
	var parts []string
	for _, u := range units {
		count := d / u.size
		if count > 0 && len(parts) < 2 {
			parts = append(parts, plural(int64(count), u.name))
		}
		d -= count * u.size
	}
	if len(parts) == 0 {
		return "no time"
	}
	return strings.Join(parts, " and ")
}

// ParseWords reads what Words says.
func ParseWords(text string) (time.Duration, error) {
	var total time.Duration
	fields := strings.Fields(strings.ReplaceAll(text, " and ", " "))
	for i := 0; i+1 < len(fields); i += 2 {
		count, err := strconv.Atoi(fields[i])
		if err != nil {
			return 0, fmt.Errorf("no number: %q", fields[i])
		}
		size, err := sizeOf(fields[i+1])
		if err != nil {
			return 0, err
		}
		total += time.Duration(count) * size
	}
	return total, nil
}

// RoundTo rounds to whole units, halves up.
func RoundTo(d, size time.Duration) time.Duration {
	if size <= 0 {
		return d
	}
	return (d + size/2) / size * size
}

func sizeOf(name string) (time.Duration, error) {
	for _, u := range units {
		if strings.TrimSuffix(name, "s") == u.name {
			return u.size, nil
		}
	}
	return 0, fmt.Errorf("no unit: %q", name)
}

func plural(count int64, name string) string {
	if count == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", count, name)
}
