//! What scoring costs: BLEU, ROUGE-1, ROUGE-2 and ROUGE-L of pairs, on one thread.
//!
//!     cargo run -p trefoil-scores --example score_pairs < PAIRS
//!
//! A line is a prediction and its reference, tokens separated by blanks, with a tab between them. Prints pairs and
//! seconds, reading left out; `scripts/check_contest` holds them against Python's packages.

use std::time::Instant;
use trefoil_scores::{Tokens, bleu, rouge};

fn main() -> std::io::Result<()> {
    let text = std::io::read_to_string(std::io::stdin())?;
    let split = |side: &str| side.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let pairs: Vec<(Vec<String>, Vec<String>)> = text
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(prediction, reference)| (split(prediction), split(reference)))
        .collect();
    let begin = Instant::now();
    let (mut counts, mut sum) = (bleu::Counts::default(), 0.0);
    for (prediction, reference) in &pairs {
        let tokens = Tokens::new(prediction, reference);
        counts = counts.and(&bleu::Counts::of(&tokens));
        sum += rouge::rouge_n(&tokens, 1).f + rouge::rouge_n(&tokens, 2).f + rouge::rouge_l(&tokens).f;
    }
    let score = counts.bleu().score;
    let seconds = begin.elapsed().as_secs_f64();
    println!("{} pairs, {seconds} seconds, BLEU {score:.4}, sum of ROUGE {sum:.4}", pairs.len());
    Ok(())
}
