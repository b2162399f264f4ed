//! What can go wrong with an answer, and when.

use crate::population::Random;

/// One way for an answer to fail.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The connection is reset in the middle of the body.
    Reset,
    /// The connection is closed in the middle of the body.
    CutBody,
    /// `Content-Length` is larger than the body.
    LengthTooLarge,
    /// `Content-Length` is smaller than the body.
    LengthTooSmall,
    /// The body is half of what it should be, with the right length for that half.
    HalfBody,
    /// A byte now and then, without end.
    SlowLoris,
    /// Another status with headers and a message.
    Status(u16, Vec<(String, String)>, String),
    /// A secondary limit, with or without `Retry-After` in seconds.
    Secondary(Option<u64>),
    /// A redirect to this place.
    Redirect(String),
    /// The search was given up half-way: `incomplete_results`, and results are missing.
    Incomplete,
    /// While the answer is on its way the population loses the repository with the most stars.
    Shift,
    /// GraphQL's answer with status 200 that something went wrong.
    GraphqlFailure,
}

/// When a fault strikes.
#[derive(Clone, Debug, PartialEq)]
pub enum At {
    /// At the request with this number, counted from 0.
    Request(u64),
    /// At the next so many requests whose path begins so.
    Path(String, u64),
    /// At all requests whose path begins so.
    Always(String),
}

impl At {
    /// Whether it strikes now; counts down.
    pub(crate) fn strikes(&mut self, number: u64, path: &str) -> bool {
        match self {
            Self::Request(at) => *at == number,
            Self::Path(prefix, left) if path.starts_with(prefix.as_str()) && *left > 0 => {
                *left -= 1;
                true
            }
            Self::Path(..) => false,
            Self::Always(prefix) => path.starts_with(prefix.as_str()),
        }
    }
}

/// A fault of those that come and go by themselves.
pub(crate) fn passing(random: &mut Random) -> Fault {
    let status = |status, message: &str| Fault::Status(status, Vec::new(), message.to_owned());
    match random.next() % 8 {
        0 => Fault::Reset,
        1 => Fault::CutBody,
        2 => Fault::HalfBody,
        3 => Fault::Secondary(Some(30)),
        4 => Fault::Secondary(None),
        5 => status(500, "Server Error"),
        6 => status(502, "Bad Gateway"),
        _ => status(503, "Service Unavailable"),
    }
}
