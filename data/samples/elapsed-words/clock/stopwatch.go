// Package clock measures with a clock that can be set.
package clock

import "time"

// Clock tells the time.
type Clock interface {
	Now() time.Time
}

// Manual is a clock that moves when it is told to.
type Manual struct {
	now time.Time
}

// Now is the time that the clock stands at.
func (m *Manual) Now() time.Time {
	return m.now
}

// Advance moves the clock on.
func (m *Manual) Advance(d time.Duration) {
	m.now = m.now.Add(d)
}

// Stopwatch adds up the time between starts and stops.
type Stopwatch struct {
	clock   Clock
	started time.Time
	running bool
	total   time.Duration
	laps    []time.Duration
}

// New makes a stopwatch that goes by a clock.
func New(clock Clock) *Stopwatch {
	return &Stopwatch{clock: clock}
}

// Start begins to measure; a second start changes nothing.
func (s *Stopwatch) Start() {
	if !s.running {
		s.running, s.started = true, s.clock.Now()
	}
}

// Stop adds what went by since the start.
func (s *Stopwatch) Stop() {
	if s.running {
		s.total += s.clock.Now().Sub(s.started)
		s.running = false
	}
}

// Lap notes the time so far and says it.
func (s *Stopwatch) Lap() time.Duration {
	lap := s.Total()
	s.laps = append(s.laps, lap)
	return lap
}

// Laps are the times that were noted.
func (s *Stopwatch) Laps() []time.Duration {
	return s.laps
}

// Total is the time measured up to now.
func (s *Stopwatch) Total() time.Duration {
	if s.running {
		return s.total + s.clock.Now().Sub(s.started)
	}
	return s.total
}

// Reset forgets everything.
func (s *Stopwatch) Reset() {
	*s = Stopwatch{clock: s.clock}
}
