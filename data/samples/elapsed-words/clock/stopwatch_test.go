package clock_test

import (
	"testing"
	"time"

	"example.org/elapsed/clock"
)

func started() (*clock.Manual, *clock.Stopwatch) {
	manual := &clock.Manual{}
	watch := clock.New(manual)
	watch.Start()
	return manual, watch
}

func TestTotal(t *testing.T) {
	manual, watch := started()
	manual.Advance(time.Minute)
	if watch.Total() != time.Minute {
		t.Errorf("got %v", watch.Total())
	}
}

func TestStopwatch_Stop(t *testing.T) {
	manual, watch := started()
	manual.Advance(time.Second)
	watch.Stop()
	manual.Advance(time.Hour)
	if watch.Total() != time.Second {
		t.Errorf("it went on: %v", watch.Total())
	}
}

func TestLapsAreKept(t *testing.T) {
	manual, watch := started()
	manual.Advance(time.Second)
	watch.Lap()
	manual.Advance(time.Second)
	if lap := watch.Lap(); lap != 2*time.Second {
		t.Errorf("got %v", lap)
	}
	if len(watch.Laps()) != 2 {
		t.Errorf("got %v", watch.Laps())
	}
}

func TestReset(t *testing.T) {
	manual, watch := started()
	manual.Advance(time.Second)
	watch.Reset()
	if watch.Total() != 0 {
		t.Errorf("got %v", watch.Total())
	}
}

func TestNothing(t *testing.T) {}
