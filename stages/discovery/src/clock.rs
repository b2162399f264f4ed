//! Time, as far as discovery needs it: behind a trait, so that days of waiting pass in milliseconds in a test.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A clock that can be waited on.
pub trait Clock: Send + Sync {
    /// Time since 1970.
    fn now(&self) -> Duration;
    /// Waits.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// The clock of the machine.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// A clock that jumps when somebody waits. Its milliseconds since 1970 can be shared with a stand-in server.
#[derive(Clone, Default)]
pub struct SimulatedClock(pub Arc<AtomicU64>);

impl Clock for SimulatedClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::SeqCst))
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        // Rounded up: who waits for less than a millisecond would wait for ever.
        let milliseconds = time.as_micros().div_ceil(1_000);
        self.0.fetch_add(u64::try_from(milliseconds).unwrap_or(u64::MAX / 2), Ordering::SeqCst);
        Box::pin(std::future::ready(()))
    }
}
