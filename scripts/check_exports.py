"""Make a tokeniser of an export's texts, and compare the ids of another with those of transformers.

Started by scripts/check_exports.
"""

import json
import sys
from pathlib import Path

import pyarrow.parquet as parquet
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

END = "</s>"


def texts(chat):
    """The texts of the training split in the order of the rows, as `tokens` takes them."""
    for path in sorted((chat / "data").glob("train-*.jsonl")):
        for line in path.read_text().splitlines():
            yield "\n".join(message["content"] for message in json.loads(line)["messages"])


def make(chat, tokenizer):
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        texts(chat), trainers.BpeTrainer(vocab_size=2000, special_tokens=[END], initial_alphabet=alphabet)
    )
    made.save(str(tokenizer))


def compare(chat, tokenizer, tokens):
    loaded = PreTrainedTokenizerFast(tokenizer_file=str(tokenizer))
    expected = []
    for text in texts(chat):
        expected += [*loaded.encode(text, add_special_tokens=False), loaded.convert_tokens_to_ids(END)]
    rows = []
    for path in sorted((tokens / "data").glob("train-*.parquet")):
        rows += parquet.read_table(path)["input_ids"].to_pylist()
    found = [token for row in rows for token in row]
    length = len(rows[0])
    if found != expected[: len(found)] or len(expected) - len(found) >= length:
        sys.exit(f"check_exports: {len(found)} ids differ from the {len(expected)} of transformers")
    print(f"{len(found)} ids in rows of {length} are those of transformers")


if __name__ == "__main__":
    {"make": make, "compare": compare}[sys.argv[1]](*map(Path, sys.argv[2:]))
