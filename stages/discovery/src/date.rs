//! Dates in UTC as GitHub writes them, and as seconds since 1970. It knows no clock.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat};

/// `2017-01-02T03:04:05Z`.
pub fn format(seconds: u64) -> String {
    let moment = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    moment.unwrap_or(DateTime::<chrono::Utc>::MAX_UTC).to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Seconds of a date (`2017-01-02`, its first second) or of a date and time in UTC, not before 1970.
pub fn parse(text: &str) -> Option<u64> {
    let moment = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%SZ");
    let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").map(|day| day.and_time(NaiveTime::MIN));
    seconds(moment.or_else(|_| day()).ok()?)
}

/// Seconds of the date of an answer: `Sun, 06 Nov 1994 08:49:37 GMT`.
pub fn parse_http(text: &str) -> Option<u64> {
    seconds(NaiveDateTime::parse_from_str(text, "%a, %d %b %Y %H:%M:%S GMT").ok()?)
}

fn seconds(moment: NaiveDateTime) -> Option<u64> {
    u64::try_from(moment.and_utc().timestamp()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_survive_the_way_there_and_back() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_193_680_530, "2007-10-29T17:55:30Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
        ] {
            assert_eq!((format(seconds).as_str(), parse(text)), (text, Some(seconds)));
        }
        assert_eq!(parse("2000-02-29"), Some(951_782_400));
        for text in ["2001-02-29", "2000-2", "yesterday", "2000-01-01T25:00:00Z", "2000-01-01T00:00:00", ""] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn dates_of_answers_are_read() {
        assert_eq!(parse_http("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        assert_eq!(parse_http("Sun, 06 Nov 1994"), None);
    }
}
