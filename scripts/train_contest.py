"""Trains a small transformer on encoded rows of ConTest. Called by scripts/train_contest, which see.

The architecture is the paper's (Villmow et al., 2021, section 5.1) at a small fraction of its size: encoder and decoder
share one table of embeddings, also for the output; Adam, cross entropy with teacher forcing, greedy predictions. Rows
that `encode` marked as too long are left out, and longer ones than --most-source, too. It is an example and no claim to
the paper's scores.
"""

import argparse
import json
import math
import random
import time
import warnings
from pathlib import Path

import pyarrow.parquet
import tokenizers
import torch
import transformers
from torch import nn

SPECIAL = ["<pad>", "<s>", "</s>"]
PAD, START, END = range(3)


class Model(nn.Module):
    """Encoder and decoder with common embeddings."""

    def __init__(self, pieces, width, heads=4, layers=2):
        super().__init__()
        self.width = width
        self.embedding = nn.Embedding(pieces, width, padding_idx=PAD)
        nn.init.normal_(self.embedding.weight, std=width**-0.5)
        self.transformer = nn.Transformer(
            width, heads, layers, layers, 4 * width, dropout=0.1, batch_first=True, norm_first=True
        )

    def embed(self, ids):
        """Embeddings and waves that tell places."""
        places = torch.arange(ids.shape[1]).unsqueeze(1)
        rates = torch.exp(torch.arange(0, self.width, 2) * (-math.log(10_000.0) / self.width))
        waves = torch.stack([torch.sin(places * rates), torch.cos(places * rates)], dim=2).flatten(1)
        return self.embedding(ids) * math.sqrt(self.width) + waves

    def encode(self, source):
        return self.transformer.encoder(self.embed(source), src_key_padding_mask=source == PAD)

    def decode(self, memory, source, target):
        """What the decoder makes of each place of the target."""
        mask = torch.triu(torch.ones(target.shape[1], target.shape[1], dtype=torch.bool), diagonal=1)
        return self.transformer.decoder(
            self.embed(target),
            memory,
            tgt_mask=mask,
            tgt_key_padding_mask=target == PAD,
            memory_key_padding_mask=source == PAD,
        )

    def scores(self, hidden):
        """How likely each piece is to come next."""
        return hidden @ self.embedding.weight.T

    def loss(self, rows):
        source, target = batch(rows)
        answers = self.scores(self.decode(self.encode(source), source, target[:, :-1]))
        wanted = target[:, 1:]
        return nn.functional.cross_entropy(answers.flatten(0, 1), wanted.flatten(), ignore_index=PAD)

    @torch.no_grad()
    def predict(self, rows, longest):
        """The likeliest piece at each place, one after the other."""
        source, _ = batch(rows)
        memory = self.encode(source)
        target = torch.full((len(rows), 1), START)
        done = torch.zeros(len(rows), dtype=torch.bool)
        while target.shape[1] <= longest and not done.all():
            answers = self.scores(self.decode(memory, source, target)[:, -1])
            answers[:, [PAD, START]] = -math.inf
            best = answers.argmax(dim=1).masked_fill(done, PAD)
            target = torch.cat([target, best.unsqueeze(1)], dim=1)
            done |= best == END
        return [[piece for piece in row if piece not in (PAD, START, END)] for row in target.tolist()]


def batch(rows):
    return padded([row["source_ids"] for row in rows]), padded([[START, *row["target_ids"], END] for row in rows])


def padded(lists):
    longest = max(map(len, lists))
    return torch.tensor([ids + [PAD] * (longest - len(ids)) for ids in lists])


def batches(rows, size):
    return [rows[begin : begin + size] for begin in range(0, len(rows), size)]


def mean_loss(model, rows, size):
    model.eval()
    with torch.no_grad():
        losses = [model.loss(rows).item() * len(rows) for rows in batches(rows, size)]
    model.train()
    return sum(losses) / max(len(rows), 1)


def vocabulary_of(folder):
    """The vocabulary, read by both libraries, which have to agree."""
    file = str(folder / "tokenizer.json")
    vocabulary = tokenizers.Tokenizer.from_file(file)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_file=file, pad_token="<pad>", unk_token="<unk>")
    if [vocabulary.token_to_id(token) for token in SPECIAL] != [PAD, START, END]:
        raise SystemExit(f"train_contest: {file} does not begin with {SPECIAL}; encode the run again")
    return vocabulary, fast


def check_vocabulary(vocabulary, fast, rows):
    for row in rows:
        for text, ids in [(row["source"], row["source_ids"]), (row["target"], row["target_ids"])]:
            if vocabulary.encode(text).ids != ids or fast(text)["input_ids"] != ids:
                raise SystemExit(f"train_contest: row {row['id']} has other ids than its vocabulary gives")
            # Libraries decode tags without the blanks around them; `evaluate --form tree` takes both.
            if vocabulary.decode(ids, skip_special_tokens=False).replace(" ", "") != text.replace(" ", ""):
                raise SystemExit(f"train_contest: the ids of row {row['id']} do not decode to its text")
    print(
        f"{vocabulary.get_vocab_size()} pieces; tokenizers {tokenizers.__version__} and transformers "
        f"{transformers.__version__} give the ids of {len(rows)} rows, which decode to their texts"
    )


def train(model, rows, held_out, options):
    optimiser = torch.optim.Adam(model.parameters(), lr=options.rate)
    begin = time.perf_counter()
    print(f"before training: loss on {len(held_out)} validation rows {mean_loss(model, held_out, options.batch):.3f}")
    for epoch in range(1, options.epochs + 1):
        random.shuffle(rows)
        losses = []
        for number, chosen in enumerate(batches(rows, options.batch), 1):
            loss = model.loss(chosen)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            losses.append(loss.item())
            if number % options.every == 0 or number * options.batch >= len(rows):
                seen = min(number * options.batch, len(rows))
                print(f"epoch {epoch}, {seen} rows: loss {sum(losses) / len(losses):.3f}", flush=True)
                losses = []
    seconds = time.perf_counter() - begin
    print(f"after training: loss on validation rows {mean_loss(model, held_out, options.batch):.3f}, {seconds:.0f} s")


def main():
    parser = argparse.ArgumentParser(prog="train_contest", description=__doc__.splitlines()[0])
    parser.add_argument("encoded", type=Path, help="folder that `trefoil encode` wrote")
    parser.add_argument("--predictions", type=Path, help="write predictions of the test split to this file")
    parser.add_argument("--rows", type=int, default=400, help="most rows to train on (default: 400)")
    parser.add_argument("--epochs", type=int, default=1, help="rounds over these rows (default: 1)")
    parser.add_argument("--batch", type=int, default=8, help="rows at once (default: 8)")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate (default: 0.001)")
    parser.add_argument("--width", type=int, default=128, help="numbers of an embedding (default: 128)")
    parser.add_argument("--every", type=int, default=10, help="batches between two lines of losses (default: 10)")
    parser.add_argument("--most-source", type=int, default=512, help="leave longer rows out (default: 512)")
    parser.add_argument("--longest", type=int, default=96, help="most tokens of a prediction (default: 96)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all draws (default: 1)")
    options = parser.parse_args()
    # A way to be faster that encoders which normalise before do not have.
    warnings.filterwarnings("ignore", message="enable_nested_tensor")
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    vocabulary, fast = vocabulary_of(options.encoded)

    def read(split):
        return pyarrow.parquet.read_table(options.encoded / f"{split}.parquet").to_pylist()

    def fits(row):
        return not row["is_too_long"] and len(row["source_ids"]) <= options.most_source

    rows = [row for row in read("train") if fits(row)]
    held_out = [row for row in read("validation") if fits(row)][: options.rows // 8]
    check_vocabulary(vocabulary, fast, rows[:100])
    random.shuffle(rows)
    model = Model(vocabulary.get_vocab_size(), options.width)
    train(model, rows[: options.rows], held_out, options)
    if options.predictions:
        model.eval()
        wanted = read("test")
        predicted = {}
        for chosen in batches([row for row in wanted if fits(row)], 4 * options.batch):
            for row, ids in zip(chosen, model.predict(chosen, options.longest)):
                predicted[row["id"]] = vocabulary.decode(ids, skip_special_tokens=False)
        with options.predictions.open("w", encoding="utf-8") as file:
            for row in wanted:
                file.write(json.dumps({"id": row["id"], "prediction": predicted.get(row["id"], "")}) + "\n")
        print(f"{len(predicted)} rows predicted, {len(wanted) - len(predicted)} too long: {options.predictions}")


if __name__ == "__main__":
    main()
