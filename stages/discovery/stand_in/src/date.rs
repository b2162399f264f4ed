//! Dates in UTC, as search words and headers write them.

const MONTHS: [(&str, u64); 12] = [
    ("Jan", 31),
    ("Feb", 28),
    ("Mar", 31),
    ("Apr", 30),
    ("May", 31),
    ("Jun", 30),
    ("Jul", 31),
    ("Aug", 31),
    ("Sep", 30),
    ("Oct", 31),
    ("Nov", 30),
    ("Dec", 31),
];

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn length(year: u64, month: usize) -> u64 {
    MONTHS[month].1 + u64::from(month == 1 && is_leap(year))
}

/// Year, month from 0, day from 1.
fn split(mut days: u64) -> (u64, usize, u64) {
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 0;
    while days >= length(year, month) {
        days -= length(year, month);
        month += 1;
    }
    (year, month, days + 1)
}

/// `2017-01-02T03:04:05Z`.
pub(crate) fn iso(seconds: u64) -> String {
    let (year, month, day) = split(seconds / 86_400);
    format!("{year}-{:02}-{day:02}T{}Z", month + 1, clock(seconds))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`.
pub(crate) fn header(seconds: u64) -> String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    let (year, month, day) = split(seconds / 86_400);
    let weekday = days[(seconds / 86_400 % 7) as usize];
    format!("{weekday}, {day:02} {} {year} {} GMT", MONTHS[month].0, clock(seconds))
}

fn clock(seconds: u64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60)
}

/// First second of `2017-01-02`, or the second of `2017-01-02T03:04:05Z`; and whether a time was given.
pub(crate) fn parse(text: &str) -> Option<(u64, bool)> {
    let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
    let numbers = |text: &str, between: char| -> Option<Vec<u64>> {
        text.split(between).map(|part| part.parse().ok()).collect()
    };
    let date = numbers(date, '-').filter(|parts| parts.len() == 3)?;
    let years: u64 = (1970..date[0]).map(|year| 365 + u64::from(is_leap(year))).sum();
    let months: u64 = (0..date[1].checked_sub(1)? as usize).map(|month| length(date[0], month)).sum();
    let time = match time {
        Some(time) => numbers(time.strip_suffix('Z')?, ':').filter(|parts| parts.len() == 3)?,
        None => vec![0, 0, 0],
    };
    let midnight = (years + months + date[2].checked_sub(1)?) * 86_400;
    Some((midnight + time[0] * 3_600 + time[1] * 60 + time[2], text.contains('T')))
}
