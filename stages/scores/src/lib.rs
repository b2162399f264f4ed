//! Scores of predicted text against reference text: BLEU, ROUGE, exact match, edit distance.
