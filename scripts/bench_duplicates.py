"""Compare our search for near-duplicates with its peers. Started by scripts/bench_duplicates."""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import pyarrow.parquet as parquet
from datasketch import MinHash, MinHashLSH
from rensa import RMinHash, RMinHashLSH

THRESHOLD = 0.7
SHINGLE = 5
PERMUTATIONS = 128
# The tokens of stages/duplicates/src/tokens.rs for comments that begin with `//` and `/*`.
TOKEN = re.compile(
    r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
    r"|(?P<token>"
    r'"""[\s\S]*?(?:"""|\Z)|' + r"'''[\s\S]*?(?:'''|\Z)|"
    r'"(?:\\[^\n]|[^"\\\n])*"?\\?|' + r"'(?:\\[^\n]|[^'\\\n])*'?\\?|"
    r"`(?:\\[\s\S]|[^`\\])*`?|"
    r"[A-Za-z_$\u0080-\U0010ffff][A-Za-z0-9_$\u0080-\U0010ffff]*|"
    r"[0-9][A-Za-z0-9_$.\u0080-\U0010ffff]*|"
    r"[^ \t\n\r\x0b\x0c])"
)


def shingles(text):
    tokens = [match["token"] for match in TOKEN.finditer(text) if match["token"] is not None]
    if len(tokens) < SHINGLE:
        return {"\x1f".join(tokens)} if tokens else set()
    return {"\x1f".join(tokens[at : at + SHINGLE]) for at in range(len(tokens) - SHINGLE + 1)}


def functions(runs, wanted):
    """Texts of functions and methods with a body, drawn by a fixed seed."""
    texts = []
    for run in runs:
        for shard in sorted((run / "parsing").glob("shard-*")):
            files = parquet.read_table(shard / "source_files.parquet", columns=["repository", "path", "text"])
            sources = {
                (repository, path): text.encode()
                for repository, path, text in zip(*(files[name].to_pylist() for name in files.column_names))
            }
            columns = ["repository", "path", "kind", "start_byte", "end_byte", "body_start"]
            rows = parquet.read_table(shard / "callables.parquet", columns=columns)
            for repository, path, kind, start, end, body in zip(*(rows[name].to_pylist() for name in columns)):
                if kind in ("method", "function", "constructor") and body is not None:
                    text = sources[repository, path][start:end].decode(errors="replace").replace("\0", " ")
                    texts.append(text)
    random.Random(1).shuffle(texts)
    return texts[:wanted]


def ours(program, texts, pairs=None):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="") as file:
        file.write("".join(text + "\0" for text in texts))
        file.flush()
        arguments = [program, file.name] + ([pairs] if pairs else [])
        output = subprocess.run(arguments, check=True, capture_output=True, text=True, env=one_core()).stdout
    return json.loads(output)


def one_core():
    return os.environ | {"RAYON_NUM_THREADS": "1"}


def datasketch(texts):
    lsh = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    signatures = []
    for text in texts:
        signature = MinHash(num_perm=PERMUTATIONS)
        signature.update_batch([shingle.encode() for shingle in shingles(text)])
        signatures.append(signature)
    for number, signature in enumerate(signatures):
        lsh.insert(number, signature)
    return {(min(a, b), max(a, b)) for a, one in enumerate(signatures) for b in lsh.query(one) if a != b}


def rensa(texts):
    lsh = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=32)
    signatures = []
    for text in texts:
        signature = RMinHash(num_perm=PERMUTATIONS, seed=42)
        signature.update(list(shingles(text)))
        signatures.append(signature)
    for number, signature in enumerate(signatures):
        lsh.insert(number, signature)
    return {(min(a, b), max(a, b)) for a, one in enumerate(signatures) for b in lsh.query(one) if a != b}


def exact(texts):
    """Every pair at or above the threshold, by way of the shingles that texts share."""
    sets = [shingles(text) for text in texts]
    holders = defaultdict(list)
    common = defaultdict(int)
    for number, one in enumerate(sets):
        for shingle in one:
            for other in holders[shingle]:
                common[other, number] += 1
            holders[shingle].append(number)
    return {
        (a, b): count / (len(sets[a]) + len(sets[b]) - count)
        for (a, b), count in common.items()
        if count / (len(sets[a]) + len(sets[b]) - count) >= THRESHOLD
    }


def quality(found, true):
    recall = sum(pair in found for pair in true) / max(1, len(true))
    precision = sum(pair in true for pair in found) / max(1, len(found))
    return f"recall {recall:.4f}  precision {precision:.4f}  ({len(found)} found)"


def timed(name, work, texts, reference):
    start = time.process_time()
    work(texts)
    rate = len(texts) / (time.process_time() - start)
    print(f"  {name:<11}{rate:>10.0f} functions/s   1/{reference / rate:.1f} of ours")


def main():
    parser = argparse.ArgumentParser(prog="bench_duplicates")
    parser.add_argument("runs", nargs="*", type=Path)
    parser.add_argument("--program", required=True)
    parser.add_argument("--functions", type=int, default=200_000)
    parser.add_argument("--peers", type=int, default=20_000, help="functions that the peers get")
    parser.add_argument("--sample", type=int, default=5_000)
    parser.add_argument("--synthetic", default="", help="numbers of made functions, by commas")
    options = parser.parse_args()

    if options.runs:
        texts = functions(options.runs, options.functions)
        size = sum(map(len, texts)) / max(1, len(texts))
        print(f"{len(texts)} functions, {size:.0f} characters each on average; one core, threshold {THRESHOLD}")
        result = ours(options.program, texts)
        print(f"  {'ours, all':<11}{result['texts_per_second']:>10.0f} functions/s   peak {result['peak_mb']} MB")
        few = texts[: options.peers]
        reference = ours(options.program, few)["texts_per_second"]
        print(f"  the same {len(few)} for all:\n  {'ours':<11}{reference:>10.0f} functions/s")
        timed("rensa", rensa, few, reference)
        timed("datasketch", datasketch, few, reference)
        sample = texts[: options.sample]
        true = exact(sample)
        print(f"sample of {len(sample)}: {len(true)} pairs with a Jaccard index of at least {THRESHOLD}")
        with tempfile.NamedTemporaryFile("r") as file:
            ours(options.program, sample, file.name)
            found = {tuple(map(int, line.split()[:2])): float(line.split()[2]) for line in file}
        wrong = [pair for pair, likeness in found.items() if abs(likeness - true.get(pair, 0)) > 1e-9]
        print(f"  ours       {quality(found, true)}, {len(wrong)} with another index than the exact one")
        print(f"  rensa      {quality(rensa(sample), true)}")
        print(f"  datasketch {quality(datasketch(sample), true)}")
        if wrong:
            sys.exit(f"bench_duplicates: {wrong[:5]} differ from the exact index")
    for count in filter(None, options.synthetic.split(",")):
        output = subprocess.run(
            [options.program, "--synthetic", count], check=True, capture_output=True, text=True, env=one_core()
        )
        result = json.loads(output.stdout)
        print(
            f"{count} made functions ({output.stderr.strip()}): {result['seconds']:.0f} s, "
            f"{result['texts_per_second']:.0f}/s, peak {result['peak_mb']} MB, {result['duplicates']} duplicates"
        )


if __name__ == "__main__":
    main()
