package elapsed

import (
	"os"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	os.Exit(m.Run())
}

// mustParse is what several tests read their durations with.
func mustParse(t *testing.T, text string) time.Duration {
	t.Helper()
	d, err := ParseWords(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

func TestWords(t *testing.T) {
	cases := []struct {
		name string
		d    time.Duration
		want string
	}{
		{"nothing", 0, "no time"},
		{"one unit", 5 * time.Minute, "5 minutes"},
		{"two units", 26 * time.Hour, "1 day and 2 hours"},
		{"negative", -time.Second, "minus 1 second"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Words(c.d); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestParseWords(t *testing.T) {
	if got := mustParse(t, "1 hour and 30 minutes"); got != 90*time.Minute {
		t.Errorf("got %v", got)
	}
}

func TestUnknownUnitsAreRefused(t *testing.T) {
	_, err := ParseWords("3 fortnights")
	if err == nil {
		t.Error("a fortnight was taken for a unit")
	}
}

func TestRoundTo(t *testing.T) {
	if got := RoundTo(89*time.Second, time.Minute); got != time.Minute {
		t.Errorf("got %v", got)
	}
	if got := RoundTo(90*time.Second, time.Minute); got != 2*time.Minute {
		t.Errorf("got %v", got)
	}
}

func TestPlural(t *testing.T) {
	for count, want := range map[int64]string{1: "1 day", 2: "2 days"} {
		if got := plural(count, "day"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestThereAndBack(t *testing.T) {
	for _, text := range []string{"1 day and 2 hours", "45 seconds"} {
		if got := Words(mustParse(t, text)); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

func BenchmarkWords(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Words(time.Duration(i) * time.Second)
	}
}
