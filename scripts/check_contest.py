"""Rows, scores and tokens of ConTest, held against what they promise. Called by scripts/check_contest, which see."""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import javalang
import pyarrow.parquet
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU

SPLITS = ["train", "validation", "test"]
# How `encode` shows white space in leaves, and the sign before what is meant as it stands.
SIGNS, ESCAPE = {"␣": " ", "␊": "\n", "␉": "\t", "␍": "\r"}, "␛"


def rows(files):
    for file in sorted(files):
        yield from pyarrow.parquet.read_table(file).to_pylist()


class Numbers:
    """A tokenizer for rouge-score that takes texts as they are."""

    def tokenize(self, text):
        return text.split()


def numbered(pairs):
    """Tokens as numbers, so that nothing in them is taken for a blank."""
    numbers = {}
    return [
        tuple(" ".join(str(numbers.setdefault(token, len(numbers))) for token in side) for side in pair)
        for pair in pairs
    ]


def theirs(pairs):
    texts = numbered(pairs)
    predictions, references = [pair[0] for pair in texts], [pair[1] for pair in texts]
    begin = time.perf_counter()
    bleu = BLEU(tokenize="none", force=True).corpus_score(predictions, [references])
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=Numbers())
    rouge = [scorer.score(reference, prediction) for prediction, reference in texts]
    seconds = time.perf_counter() - begin
    values = {"bleu": bleu.score / 100}
    for order, precision in enumerate(bleu.precisions, 1):
        values[f"bleu_{order}"] = bleu.bp * precision / 100
    for ours, name in [("rouge_1", "rouge1"), ("rouge_2", "rouge2"), ("rouge_l", "rougeL")]:
        values[ours] = sum(score[name].fmeasure for score in rouge) / len(rouge)
    return values, seconds


def own_seconds(programs, pairs):
    lines = "\n".join("\t".join(pair) for pair in numbered(pairs))
    done = subprocess.run(
        [programs / "examples/score_pairs"], input=lines, check=True, capture_output=True, text=True
    )
    return float(done.stdout.split(", ")[1].split(" ")[0])


def unescaped(word):
    text, characters = "", iter(word)
    for character in characters:
        if character == ESCAPE:
            meant = next(characters)
            text += "▁" if meant == "u" else meant
        else:
            text += SIGNS.get(character, character)
    return text


def compare_tokens(exported, tokens):
    """Java's tokens as javalang sees them against ours."""
    same, different, failed = 0, [], 0
    for row in exported.values():
        if row["language"] != "java" or row["id"] not in tokens:
            continue
        ours = [unescaped(word) for word in tokens[row["id"]]]
        try:
            other = [token.value for token in javalang.tokenizer.tokenize(row["assertions"])]
        except javalang.tokenizer.LexerError:
            failed += 1
            continue
        if ours == other:
            same += 1
        else:
            # Where they part.
            at = next((at for at, pair in enumerate(zip(ours, other)) if pair[0] != pair[1]), 0)
            different.append((ours[at : at + 3], other[at : at + 3]))
    compared = same + len(different)
    if compared:
        print(f"\njavalang: the same tokens in {same} of {compared} rows; it cannot read {failed} others")
        for ours, other in different[:8]:
            print(f"  ours {ours}  javalang {other}")


def check_rows(program, run, folder):
    """Funnel, rows that come back and leaks between splits; answers whether all is as it should be."""
    steps = json.loads((run / "report.json").read_text())["contest"]
    for language, funnel in steps.items():
        if not funnel["matched"]:
            continue
        names = ["test_cases", "matched", "segmented", "without_focal_call", "within_limits", "rows"]
        print(f"{language}: " + ", ".join(f"{name} {funnel[name]}" for name in names))
        known, ambiguous, unknown = (funnel[f"calls_{name}"] for name in ["resolved", "ambiguous", "unknown"])
        calls, tests = max(known + ambiguous + unknown, 1), max(funnel["without_focal_call"], 1)
        print(
            f"  {calls} calls: {known / calls:.1%} have one meaning, {ambiguous / calls:.1%} are of one of several "
            f"overloads; all have one in {funnel['all_calls_resolved'] / tests:.1%} of the tests"
        )
    command = [program, "encode", run, "--vocabulary", "0", "--check", "--output", folder / "trees"]
    encoded = subprocess.run(command, stdout=subprocess.DEVNULL)
    if encoded.returncode not in (0, 1):
        sys.exit("check_contest: the rows cannot be encoded")
    splits = json.loads((folder / "trees/report.json").read_text())["splits"]
    counts = {what: sum(sum(split[what].values()) for split in splits.values()) for what in ["differ", "unparsed"]}
    rows = sum(split["rows"] + sum(split["unparsed"].values()) for split in splits.values())
    print(f"\n{rows} rows: {counts['differ']} do not come back as they were, {counts['unparsed']} are no trees")
    command = [program, "audit", run, "--json", folder / "audit.json"]
    subprocess.run(command, stdout=subprocess.DEVNULL)
    leaks = json.loads((folder / "audit.json").read_text())["report"]["counts"]
    found = {kind: count for kind, count in leaks.items() if count}
    print(f"leaks between splits: {found or 'none'} (of {', '.join(leaks)})\n")
    return not (counts["differ"] or counts["unparsed"] or any(kind != "shared_owner" for kind in found))


def main():
    parser = argparse.ArgumentParser(prog="check_contest", description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--programs", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    program = options.programs / "trefoil"
    exported = {row["id"]: row for row in rows((options.run / "export/contest/project").glob("*.parquet"))}
    with tempfile.TemporaryDirectory(prefix="trefoil-contest-") as temporary:
        temporary = Path(temporary)
        is_sound = check_rows(program, options.run, temporary)
        command = [program, "encode", options.run, "--form", "tokens", "--vocabulary", "0"]
        subprocess.run([*command, "--output", temporary / "tokens"], check=True, stdout=subprocess.DEVNULL)
        encoded = rows((temporary / "tokens").glob("*.parquet"))
        tokens = {row["id"]: row["target"].split(" ")[1:] for row in encoded}
        ids = sorted(tokens)
        pairs, lines = [], []
        for number, (row, other) in enumerate(zip(ids, ids[1:] + ids[:1])):
            if exported[other]["language"] != exported[row]["language"]:
                other = row
            broken = number % 10 == 0
            prediction = exported[other]["assertions"] + ("\n((" if broken else "")
            lines.append(json.dumps({"id": row, "prediction": prediction}))
            if not broken:
                pairs.append((tokens[other], tokens[row]))
        predictions, scores = temporary / "predictions.jsonl", temporary / "scores.json"
        predictions.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [program, "evaluate", "contest", options.run, "--predictions", predictions]
        command += ["--split", *SPLITS, "--allow-missing", "--json", scores]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        splits = json.loads(scores.read_text())["splits"]
    print("Scores are compared for each split with rows.\n")
    worst, their_seconds = 0.0, 0.0
    of_split = {}
    for split in SPLITS:
        files = (options.run / "export/contest/project").glob(f"{split}-*.parquet")
        of_split.update({row["id"]: split for row in rows(files)})
    parsed = [row for number, row in enumerate(ids) if number % 10]
    for split in SPLITS:
        chosen = [pair for row, pair in zip(parsed, pairs) if of_split[row] == split]
        if not chosen:
            continue
        values, seconds = theirs(chosen)
        their_seconds += seconds
        score = splits[split]["all"]
        if score["rows"] - score["unparsable"] != len(chosen):
            sys.exit(f"check_contest: {split} has {score['rows'] - score['unparsable']} parsed predictions, not {len(chosen)}")
        print(f"{split}: {len(chosen)} pairs, {score['unparsable']} unparsable predictions")
        for name, value in values.items():
            worst = max(worst, abs(score["plain"][name] - value))
            print(f"  {name:<8} ours {score['plain'][name]:.10f}  theirs {value:.10f}")
    ours, others = len(pairs) / own_seconds(options.programs, pairs), len(pairs) / their_seconds
    print(f"\nlargest difference {worst:.2e}")
    print(f"pairs a second: ours {ours:.0f}, theirs {others:.0f}: {ours / others:.1f} times; the aim is at least 20")
    compare_tokens(exported, tokens)
    if worst > 1e-9:
        sys.exit("check_contest: the scores differ")
    if not is_sound:
        sys.exit("check_contest: rows do not come back, or splits share something")


if __name__ == "__main__":
    main()
