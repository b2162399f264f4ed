//! Seconds since 1970 and dates in UTC, as GitHub writes them and as all rows have them.
//!
//! A crate of its own since discovery and the stages write dates and neither may depend on the other. It knows no clock.

const DAY: u64 = 86_400;

/// `2017-01-02T03:04:05Z`.
pub fn format(seconds: u64) -> String {
    let (year, month, day) = civil(seconds / DAY);
    let rest = seconds % DAY;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
}

/// Seconds of a date (`2017-01-02`, its first second) or of a date and time in UTC.
pub fn parse(text: &str) -> Option<u64> {
    let (date, time) = text.split_once('T').unwrap_or((text, "00:00:00Z"));
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time.strip_suffix('Z')?, ':')?;
    let sound = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !sound || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let days = days(year, month, day);
    // The 31st of a month of 30 days would come out as the first of the next.
    (civil(days) == (year, month, day)).then_some(days * DAY + hour * 3_600 + minute * 60 + second)
}

fn numbers(text: &str, separator: char) -> Option<[u64; 3]> {
    let mut parts = text.split(separator).map(|part| part.parse().ok());
    let three = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(three)
}

/// Days from 1970-01-01, by counting in years that begin in March (Hinnant).
fn days(year: u64, month: u64, day: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year / 400, year % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
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
}
