//! Times the search for near-duplicates; `scripts/bench_duplicates` runs it beside its peers.
//!
//!     near TEXTS [PAIRS]     texts separated by zero bytes; writes `first second likeness` lines to PAIRS
//!     near --synthetic N     N functions of realistic length and likeness, clusters only
//!
//! Prints one line of JSON. RAYON_NUM_THREADS=1 measures one core.

use std::io::Write;
use std::time::Instant;
use trefoil_duplicates::{Comments, Detector, Settings, Text};

/// Texts handed over at once.
const BATCH: usize = 4_096;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let settings = Settings::default();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--synthetic", count] => synthetic(count.parse()?, &settings),
        [texts] => measure(texts, None, &settings),
        [texts, pairs] => measure(texts, Some(pairs), &settings),
        _ => Err("usage: near TEXTS [PAIRS] | near --synthetic N".into()),
    }
}

fn measure(path: &str, pairs: Option<&str>, settings: &Settings) -> Result<(), Box<dyn std::error::Error>> {
    let all = std::fs::read_to_string(path)?;
    let texts: Vec<Text<'_>> =
        all.split_terminator('\0').map(|code| Text { code, comments: Comments::Slashes }).collect();
    let start = Instant::now();
    let mut detector = Detector::new(settings, None);
    texts.chunks(BATCH).try_for_each(|batch| detector.add(batch))?;
    let added = start.elapsed().as_secs_f64();
    let clusters = detector.clusters()?;
    let seconds = start.elapsed().as_secs_f64();
    report(texts.len(), added, seconds, clusters.shared().map(|cluster| cluster.len() - 1).sum());
    if let Some(path) = pairs {
        let mut output = std::io::BufWriter::new(std::fs::File::create(path)?);
        for pair in detector.pairs()? {
            writeln!(output, "{} {} {}", pair.first, pair.second, pair.likeness)?;
        }
        output.flush()?;
    }
    Ok(())
}

fn synthetic(count: u64, settings: &Settings) -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join(format!("near-{}", std::process::id()));
    let file = std::fs::File::options().create_new(true).read(true).write(true).open(&path)?;
    // Nobody else needs its name; the space is free as soon as this process ends.
    std::fs::remove_file(&path)?;
    let mut detector = Detector::new(settings, Some(file));
    let (mut added, mut bytes) = (0.0, 0);
    let mut batch = Vec::with_capacity(BATCH);
    for number in 0..count {
        let code = function(number);
        bytes += code.len();
        batch.push(code);
        if batch.len() == BATCH || number + 1 == count {
            let texts: Vec<Text<'_>> =
                batch.iter().map(|code| Text { code, comments: Comments::Slashes }).collect();
            let start = Instant::now();
            detector.add(&texts)?;
            added += start.elapsed().as_secs_f64();
            batch.clear();
        }
    }
    let start = Instant::now();
    let clusters = detector.clusters()?;
    eprintln!("{} bytes a text", bytes as u64 / count.max(1));
    let duplicates = (0..).zip(&clusters.of).filter(|(text, of)| text != *of).count();
    report(count as usize, added, added + start.elapsed().as_secs_f64(), duplicates);
    Ok(())
}

fn report(texts: usize, added: f64, seconds: f64, duplicates: usize) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap_or_default();
    println!(
        "{{\"texts\": {texts}, \"signatures_seconds\": {added:.3}, \"seconds\": {seconds:.3}, \
         \"texts_per_second\": {:.0}, \"peak_mb\": {}, \"duplicates\": {duplicates}}}",
        texts as f64 / seconds,
        peak / 1024
    );
}

/// A function of 3 to 60 statements. One in four is another one again with some statements changed, one in
/// ten is a copy.
fn function(number: u64) -> String {
    let kind = hash(number) % 20;
    let original = hash(number ^ 0x5555) % (number + 1);
    match kind {
        0..5 => text(original, Some(number)),
        5..7 => text(original, None),
        _ => text(number, None),
    }
}

fn text(number: u64, changed_by: Option<u64>) -> String {
    let statements = 3 + (hash(number) % 16) * (hash(number.wrapping_add(1)) % 8).pow(2) / 13;
    let mut text = format!("public void {}() {{\n", name(number, 1 << 40));
    for line in 0..statements {
        let draw = match changed_by {
            Some(by) if hash(by ^ line) % 20 < hash(by) % 8 => hash(by.wrapping_mul(31) ^ line),
            _ => hash(number.wrapping_mul(64) ^ line),
        };
        let [a, b, c, d] = [0, 8, 16, 24].map(|shift| name(draw >> shift, 4_000));
        text.push_str(&match draw % 4 {
            0 => format!("    assertEquals({}, {a}.{b}({c}));\n", draw % 97),
            1 => format!("    {a} {b} = new {a}({c}, \"{d}\");\n"),
            2 => format!("    if ({a}.{b}() != null) {{ {c}.{d}({a}); }}\n"),
            _ => format!("    {a}.{b}({c}).{d}();\n"),
        });
    }
    text.push_str("}\n");
    text
}

fn name(draw: u64, names: u64) -> String {
    // Few names are frequent, most are rare.
    let uniform = hash(draw) % names;
    format!("name{}", (uniform as f64 * (hash(draw.wrapping_add(1)) % names) as f64 / names as f64) as u64)
}

fn hash(number: u64) -> u64 {
    let number = (number ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let number = (number ^ (number >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    number ^ (number >> 33)
}
