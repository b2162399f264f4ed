//! Comma-separated values with a header, each row with its line for messages.

/// A row with the number of its first line.
pub(super) type Row = (usize, Vec<String>);

/// The rows of a text: values may stand in quotation marks, which are doubled inside, and then hold commas
/// and line ends. Empty lines are passed over. An unclosed quotation mark is an error with its line.
pub(super) fn rows(text: &str) -> Result<Vec<Row>, usize> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { rows: Vec::new(), row: Vec::new(), value: String::new(), line: 1, begun: 1 };
    let mut letters = text.chars().peekable();
    let mut quoted_since = None;
    while let Some(letter) = letters.next() {
        match (quoted_since, letter) {
            (Some(_), '"') if letters.peek() == Some(&'"') => {
                letters.next();
                reader.value.push('"');
            }
            (Some(_), '"') => quoted_since = None,
            (None, '"') if reader.value.is_empty() => quoted_since = Some(reader.line),
            (None, ',') => reader.end_value(),
            (None, '\r') if letters.peek() == Some(&'\n') => {}
            (None, '\n') => reader.end_row(),
            _ => {
                reader.line += usize::from(letter == '\n');
                reader.value.push(letter);
            }
        }
    }
    match quoted_since {
        Some(line) => Err(line),
        None => {
            reader.end_row();
            Ok(reader.rows)
        }
    }
}

struct Reader {
    rows: Vec<Row>,
    row: Vec<String>,
    value: String,
    line: usize,
    /// Line that the row in hand began on.
    begun: usize,
}

impl Reader {
    fn end_value(&mut self) {
        self.row.push(std::mem::take(&mut self.value));
    }

    fn end_row(&mut self) {
        if !self.row.is_empty() || !self.value.is_empty() {
            self.end_value();
            self.rows.push((self.begun, std::mem::take(&mut self.row)));
        }
        self.line += 1;
        self.begun = self.line;
    }
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn values_in_quotation_marks_keep_commas_and_lines() {
        let text = "a,b\n\n\"x, y\",\"say \"\"hi\"\"\"\r\n\"two\nlines\",\nlast,1";
        let found = rows(text).unwrap();
        let row = |line, values: [&str; 2]| (line, values.map(str::to_owned).to_vec());
        assert_eq!(
            found,
            [
                row(1, ["a", "b"]),
                row(3, ["x, y", "say \"hi\""]),
                row(4, ["two\nlines", ""]),
                row(6, ["last", "1"])
            ]
        );
        assert_eq!(rows(""), Ok(vec![]));
        assert_eq!(rows("a\n\"b\nc"), Err(2));
    }
}
