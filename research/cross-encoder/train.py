#!/usr/bin/env python3
"""Trains a reranker on your own Markdown: a cross-encoder for the plugin `cross-encoder`, without any labelled question.

Questions are made from the text itself: headings with the titles above them, the first sentence of a section, a
sentence taken out of a passage, the rarest words of a passage. The model learns to tell the passage each comes from
from passages with the same words in other documents (BM25), from the same document and from anywhere. It starts from
the weights of a BERT sentence encoder and gets a new head with one logit. A twentieth of the documents is never
trained on; the step that orders the candidates of their questions best is kept, and the figures at the end are of them.

  python3 -m venv .venv && .venv/bin/pip install torch transformers onnx onnxruntime scipy
  scripts/fetch-models.sh all-MiniLM-L6-v2
  .venv/bin/python research/cross-encoder/train.py \\
    --corpus FOLDER --base .models/all-MiniLM-L6-v2 --output .models/NAME

torch takes 1 to 6 GB of disk, by what its package brings along. 338 steps (--minutes 23) took 24 minutes on a core
shared with other work, and 2.3 GB of memory; the default is 600 steps.

The output is a model folder: model_quantized.onnx (8 bits, 23 MB), tokenizer.json, tokenizer_config.json, config.json,
and training.json with the settings, the figures and an example; --float adds model.onnx, which the product then
prefers. The same corpus, seed, number of steps and versions give the same weights on the same kind of machine. With
--minutes they do not: the learning rate then falls with the clock.
"""

import argparse
import copy
import json
import random
import re
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from scipy import sparse
from tokenizers import Tokenizer
from transformers import BertModel

KINDS = {"heading": 0.35, "first sentence": 0.2, "sentence": 0.25, "words": 0.2}
HARD, SAME_DOCUMENT, ANYWHERE = 3, 1, 1  # negatives of a question
# the first steps: short passages against any others, until the model has found out what the task is
EASY_SHARE, EASY_ANYWHERE, EASY_TOKENS = 0.1, 3, 64
PASSAGE = 700  # characters of a passage, about: what fits beside a question
SHORTEST = 120
FOUND = 40  # a reranker never sees a passage that is not found among the first
NEAR_COPY = 0.5  # two passages that share this much of their words are taken for copies
# scored once at the end: who runs the model can see that it gets the same numbers
EXAMPLE = (
    "how long may a user session be idle",
    [
        "A session ends after thirty minutes without a request. The user has to sign in once more.",
        "This is the log of user session names: user session one, user session two, user session three.",
        "The harbour was full of fishing boats.",
    ],
)


@dataclass(frozen=True)
class Passage:
    document: int
    section: tuple[int, int]
    title: str
    headings: tuple[str, ...]
    text: str

    def shown(self, breadcrumb: bool, text: str | None = None) -> str:
        """As the index holds it: with the line of headings in front, or without."""
        body = self.text if text is None else text
        path = [self.title, *self.headings] if self.headings[:1] != (self.title,) else self.headings
        return " > ".join(path) + "\n" + body if breadcrumb else body


# Markdown to passages


def sections_of(source: str, name: str) -> tuple[str, list[tuple[tuple[str, ...], str]]]:
    """The title of a document, and its sections as heading path and text."""
    front = re.match(r"---\n(.*?)\n---\n", source, re.S)
    title = re.search(r"^title:\s*(.+)$", front.group(1), re.M) if front else None
    body = source[front.end() :] if front else source
    path: list[tuple[int, str]] = []
    sections: list[tuple[tuple[str, ...], list[str]]] = [((), [])]
    fence = None
    for line in body.splitlines():
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if mark and fence is None:
            fence = mark.group(1)
        elif mark and line.strip().startswith(fence):
            fence = None
        if fence is None and re.match(r" {0,3}\[[^]]+\]: ", line):
            continue  # a link's address is no text
        heading = re.match(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$", line) if fence is None else None
        if heading:
            level = len(heading.group(1))
            text = re.sub(r"\{#.*?\}|[`*_]|\[([^]]*)\]\([^)]*\)", r"\1", heading.group(2)).strip()
            path = [(depth, above) for depth, above in path if depth < level] + [(level, text)]
            sections.append((tuple(above for _, above in path if above), []))
        else:
            sections[-1][1].append(line)
    tops = {headings[0] for headings, _ in sections if headings}
    if title:
        named = title.group(1).strip("\"' ")
    elif len(tops) == 1:
        named = tops.pop()
    else:
        named = re.sub(r"^\d+[-_ ]*|[-_]+", " ", name).strip() or name
    return named, [(headings, "\n".join(lines).strip()) for headings, lines in sections]


def pieces_of(text: str) -> list[str]:
    """Cuts a section between paragraphs, and a paragraph that is too long between lines or words."""
    parts: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        paragraph = paragraph.strip("\n")
        while len(paragraph) > PASSAGE * 1.5:
            cut = max(paragraph.rfind("\n", 0, PASSAGE), paragraph.rfind(". ", 0, PASSAGE) + 1)
            cut = cut if cut > PASSAGE / 3 else max(paragraph.rfind(" ", 1, PASSAGE), 0) or PASSAGE
            parts.append(paragraph[:cut].rstrip())
            paragraph = paragraph[cut:].lstrip()
        parts.append(paragraph)
    pieces = [""]
    for part in parts:
        joined = f"{pieces[-1]}\n\n{part}".strip("\n")
        if pieces[-1] and len(joined) > PASSAGE:
            pieces.append(part)
        else:
            pieces[-1] = joined
    return pieces


def read_passages(corpus: Path, tokenizer: Tokenizer) -> list[Passage]:
    """Passages of all Markdown files; those in a script the tokenizer does not know are left out, and so are repeats."""
    unknown = tokenizer.token_to_id("[UNK]")
    passages: list[Passage] = []
    seen: set[str] = set()
    for document, file in enumerate(sorted(corpus.rglob("*.md"))):
        title, sections = sections_of(file.read_text(encoding="utf-8", errors="replace"), file.stem)
        for number, (headings, text) in enumerate(sections):
            for piece in pieces_of(text):
                key = re.sub(r"\W+", " ", piece.lower()).strip()
                if len(key) < SHORTEST or key in seen:
                    continue
                ids = tokenizer.encode(piece, add_special_tokens=False).ids
                if ids.count(unknown) > len(ids) / 50:
                    continue
                seen.add(key)
                passages.append(Passage(document, (document, number), title, headings, piece))
    return passages


# BM25


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+(?:_[a-z0-9]+)*", text.lower())


class Lexicon:
    """BM25 (k1 1.2, b 0.75) over a list of texts."""

    def __init__(self, texts: list[str]):
        counts = [Counter(words_of(text)) for text in texts]
        self.sets = [frozenset(count) for count in counts]
        self.documents_with = Counter(word for words in self.sets for word in words)
        self.ids = {word: at for at, word in enumerate(sorted(self.documents_with))}
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float32)
        self.mean_length = float(lengths.mean())
        norms = 1.2 * (0.25 + 0.75 * lengths / self.mean_length)
        rows = [row for row, count in enumerate(counts) for _ in count]
        columns = [self.ids[word] for count in counts for word in count]
        values = [
            self.idf(word) * 2.2 * n / (n + norms[row]) for row, count in enumerate(counts) for word, n in count.items()
        ]
        self.by_word = sparse.csc_matrix((values, (rows, columns)), (len(texts), len(self.ids)), np.float32)

    def idf(self, word: str) -> float:
        n = self.documents_with[word]
        return float(np.log(1 + (len(self.sets) - n + 0.5) / (n + 0.5)))

    def scores(self, query: str) -> np.ndarray:
        columns = sorted({self.ids[word] for word in words_of(query) if word in self.ids})
        return np.asarray(self.by_word[:, columns].sum(axis=1)).ravel()

    def score_of(self, query: str, text: str) -> float:
        """The score of a text that is not on the list."""
        words = words_of(text)
        counts, norm = Counter(words), 1.2 * (0.25 + 0.75 * len(words) / self.mean_length)
        asked = {word for word in words_of(query) if word in self.ids}
        return sum(self.idf(word) * 2.2 * counts[word] / (counts[word] + norm) for word in sorted(asked))

    def near_copies(self, one: int, other: int) -> bool:
        a, b = self.sets[one], self.sets[other]
        return len(a & b) > NEAR_COPY * len(a | b)


# Questions


@dataclass(frozen=True)
class Question:
    kind: str
    text: str
    passage: int
    """Of `passages`, without the sentence that the question was made of."""
    answer: str
    breadcrumb: bool


def sentences_of(text: str) -> list[str]:
    prose = re.sub(r"(?ms)^ {0,3}(```|~~~).*?^ {0,3}\1|^\s*[|>#].*?$", " ", text)
    return [
        sentence.strip()
        for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z`*\[(])|\n\s*\n|\n\s*[-*] ", prose)
        if 5 <= len(words_of(sentence)) <= 40
    ]


class QuestionMaker:
    def __init__(self, passages: list[Passage], lexicon: Lexicon):
        self.passages = passages
        self.lexicon = lexicon
        with_heading: defaultdict[str, set[int]] = defaultdict(set)
        for passage in passages:
            if passage.headings:
                with_heading[passage.headings[-1].lower()].add(passage.document)
        self.documents_with_heading = {heading: len(found) for heading, found in with_heading.items()}

    def make(self, kind: str, at: int, rng: random.Random) -> Question | None:
        """None when the passage is not fit for this kind of question."""
        passage = self.passages[at]
        text, answer = "", passage.text
        breadcrumb = rng.random() < 0.5
        if kind == "heading" and passage.headings:
            heading = passage.headings[-1]
            # a heading that many documents have says little without what stands above it
            alone = self.documents_with_heading[heading.lower()] < 3 and len(words_of(heading)) > 1
            above = rng.choice([passage.title, " ".join([passage.title, *passage.headings[:-1]])])
            text = heading if alone and rng.random() < 0.6 else f"{above} {heading}"
            breadcrumb = rng.random() < 0.25
        elif kind == "words":
            words = list(dict.fromkeys(word for word in words_of(answer) if len(word) > 2))
            known = [word for word in words if 2 <= self.lexicon.documents_with[word] <= len(self.passages) / 20]
            rarest = set(sorted(known, key=self.lexicon.idf, reverse=True)[: rng.randint(3, 6)])
            text = " ".join(word for word in words if word in rarest) if len(rarest) > 2 else ""
        elif kind in ("sentence", "first sentence"):
            sentences = sentences_of(answer)
            if len(sentences) > 1:
                text = sentences[0] if kind == "first sentence" else rng.choice(sentences[1:])
                answer = answer.replace(text, " ", 1).strip()
                # a question rarely has all the words of the passage, nor its end
                words = text.split()
                text = " ".join(word for word in words if rng.random() < 0.8)
        if len(words_of(text)) < 2 or len(words_of(answer)) < 12:
            return None
        return Question(kind, text, at, answer, breadcrumb)

    def draw(
        self, among: list[int], siblings: dict[int, list[int]], easy: bool, rng: random.Random
    ) -> tuple[Question, list[int]]:
        """A question to train on, with its negatives."""
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        while True:
            made = self.make(kind, rng.choice(among), rng)
            if made:
                document = self.passages[made.passage].document
                wrong = self.negatives(made, among, siblings[document], easy, rng)
                if wrong is not None:
                    return made, wrong

    def negatives(
        self, question: Question, among: list[int], siblings: list[int], easy: bool, rng: random.Random
    ) -> list[int] | None:
        """
        Passages that do not answer the question; `siblings` are the passages of its own document. None for a question
        whose answer BM25 does not find: with such questions a model learns that the words of a question speak against
        a passage.
        """
        own = self.passages[question.passage]
        asked = set(words_of(question.text))

        def fit(at: int) -> bool:
            other = self.passages[at].section != own.section
            return other and not self.lexicon.near_copies(at, question.passage)

        chosen: list[int] = []
        if not easy:
            scores = self.lexicon.scores(question.text)[among]
            if (scores > self.lexicon.score_of(question.text, question.answer)).sum() > FOUND:
                return None
            best = [among[i] for i in np.argsort(-scores, kind="stable")[: FOUND + 10]]
            hard = [at for at in best if self.passages[at].document != own.document and fit(at)]
            chosen += rng.sample(hard, min(HARD, len(hard)))
            same = [at for at in siblings if fit(at)]
            same.sort(key=lambda at: -len(self.lexicon.sets[at] & asked))
            chosen += rng.sample(same[:6], min(SAME_DOCUMENT, len(same)))
        while len(chosen) < (EASY_ANYWHERE if easy else HARD + SAME_DOCUMENT + ANYWHERE):
            at = rng.choice(among)
            if fit(at) and at not in chosen:
                chosen.append(at)
        return chosen


# The model


def batch_of(tokenizer: Tokenizer, pairs: list[tuple[str, str]], tokens: int) -> dict[str, np.ndarray]:
    """Question and passage as BERT reads a pair; the passage is cut, and a question of more than half the tokens."""
    cls, sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    ids = [tokenizer.encode(text, add_special_tokens=False).ids for pair in pairs for text in pair]
    rows = []
    for question, passage in zip(ids[::2], ids[1::2]):
        first = [cls, *question[: tokens // 2], sep]
        rows.append((first, [*passage[: tokens - len(first) - 1], sep]))
    width = max(len(first) + len(second) for first, second in rows)
    batch = {
        name: np.zeros((len(rows), width), dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")
    }
    for row, (first, second) in enumerate(rows):
        length = len(first) + len(second)
        batch["input_ids"][row, :length] = first + second
        batch["attention_mask"][row, :length] = 1
        batch["token_type_ids"][row, len(first) : length] = 1
    return batch


class CrossEncoder(torch.nn.Module):
    """BERT with one logit from the mean of its token vectors: what the base was trained to put its meaning into."""

    def __init__(self, base: Path):
        super().__init__()
        self.bert = BertModel.from_pretrained(
            base, add_pooling_layer=False, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
        )
        self.head = torch.nn.Linear(self.bert.config.hidden_size, 1)
        torch.nn.init.normal_(self.head.weight, std=0.02)
        torch.nn.init.zeros_(self.head.bias)

    def forward(self, input_ids, attention_mask, token_type_ids):
        hidden = self.bert(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        weights = attention_mask.unsqueeze(-1).to(hidden.dtype)
        return self.head((hidden * weights).sum(1) / weights.sum(1))


def logits_of(model: CrossEncoder, tokenizer: Tokenizer, pairs: list[tuple[str, str]], tokens: int) -> torch.Tensor:
    """One logit a pair; pairs of like length are run together, which saves padding."""
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0]) + len(pairs[at][1]))
    groups = [part for part in np.array_split(np.array(order), 3) if len(part) > 0]
    parts = [
        model(**{name: torch.from_numpy(values) for name, values in batch.items()})
        for batch in (batch_of(tokenizer, [pairs[at] for at in group], tokens) for group in groups)
    ]
    return torch.cat(parts)[torch.from_numpy(np.argsort(np.concatenate(groups)))].ravel()


# Held-out questions


def embed(base: Path, tokenizer: Tokenizer, texts: list[str]) -> np.ndarray:
    """Unit vectors of the base model as the sentence encoder it is: the mean of the token vectors."""
    encoder = BertModel.from_pretrained(base, add_pooling_layer=False).eval()
    cls, sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    vectors = []
    with torch.inference_mode():
        for encoding in tokenizer.encode_batch(texts, add_special_tokens=False):
            hidden = encoder(input_ids=torch.tensor([[cls, *encoding.ids[:158], sep]])).last_hidden_state[0].mean(0)
            vectors.append((hidden / hidden.norm()).numpy())
    return np.stack(vectors)


@dataclass(frozen=True)
class Ranked:
    """A held-out question, the candidates that BM25 and the sentence encoder find together, and what each finds."""

    question: Question
    candidates: list[int]
    orders: dict[str, list[int]]


def ranked_questions(
    maker: QuestionMaker, held: list[int], count: int, depth: int, embedder, rng: random.Random
) -> tuple[list[Ranked], dict[int, str]]:
    """Questions about held-out passages, as many of each kind, and the text that each passage has in this test."""
    trained_on = np.setdiff1d(np.arange(len(maker.passages)), held)

    def has_copy(at: int) -> bool:
        scores = maker.lexicon.scores(maker.passages[at].text)[trained_on]
        return any(maker.lexicon.near_copies(at, trained_on[i]) for i in np.argsort(-scores, kind="stable")[:5])

    kinds = list(KINDS)
    questions: list[Question] = []
    for at in rng.sample(held, len(held)):
        made = None if has_copy(at) else maker.make(kinds[len(questions) % len(kinds)], at, rng)
        if made and len(questions) < count:
            questions.append(made)
    # each passage stands in the test without the sentence that its question was made of
    texts = {at: maker.passages[at].text for at in held} | {made.passage: made.answer for made in questions}
    lexicon, vectors = Lexicon(list(texts.values())), embedder(list(texts.values()))
    ranked = []
    for question, asked in zip(questions, embedder([made.text for made in questions])):
        copies = np.array([at != question.passage and maker.lexicon.near_copies(at, question.passage) for at in texts])
        lexical, cosine = lexicon.scores(question.text), vectors @ asked
        scaled = [(scores - scores.min()) / (np.ptp(scores) + 1e-9) for scores in (lexical, cosine)]
        found = {"BM25": lexical, "sentence encoder": cosine, "both": scaled[0] + scaled[1]}
        orders = {
            name: [held[i] for i in np.argsort(-scores, kind="stable") if not copies[i]]
            for name, scores in found.items()
        }
        ranked.append(Ranked(question, orders["both"][:depth], orders))
    return ranked, texts


def reciprocal_rank(order: list[int], right: int) -> float:
    return 1 / (order.index(right) + 1) if right in order[:10] else 0.0


def rerank(maker: QuestionMaker, ranked: Ranked, texts: dict[int, str], score) -> list[int]:
    question = ranked.question
    shown = [maker.passages[at].shown(question.breadcrumb, texts[at]) for at in ranked.candidates]
    scores = score([(question.text, text) for text in shown])
    return [ranked.candidates[i] for i in np.argsort(-scores, kind="stable")]


def mrr_by_kind(ranked: list[Ranked], orders: list[list[int]]) -> dict[str, float]:
    values: defaultdict[str, list[float]] = defaultdict(list)
    for question, order in zip(ranked, orders):
        value = reciprocal_rank(order, question.question.passage)
        values["all"].append(value)
        values[question.question.kind].append(value)
    return {kind: round(float(np.mean(found)), 4) for kind, found in sorted(values.items())}


def say(**values) -> None:
    print(json.dumps(values), flush=True)


def export(model: CrossEncoder, file: Path) -> None:
    example = [torch.ones((2, 8), dtype=torch.long) for _ in range(3)]
    names = ["input_ids", "attention_mask", "token_type_ids"]
    torch.onnx.export(
        model,
        tuple(example),
        str(file),
        input_names=names,
        output_names=["logits"],
        dynamic_axes={name: {0: "batch", 1: "width"} for name in names} | {"logits": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )


def onnx_scorer(file: Path, tokenizer: Tokenizer, tokens: int):
    """Scores as the product does: quantised weights run one pair at a time."""
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(file), settings)
    return lambda pairs: np.array([session.run(None, batch_of(tokenizer, [pair], tokens))[0][0, 0] for pair in pairs])


def write_folder(output: Path, base: Path, tokenizer: Tokenizer, limit: int, record: dict) -> None:
    tokenizer.save(str(output / "tokenizer.json"))
    config = json.loads((base / "config.json").read_text())
    for name in ("_name_or_path", "architectures"):
        config.pop(name, None)
    (output / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    settings = json.loads((base / "tokenizer_config.json").read_text())
    settings["model_max_length"] = limit
    settings.pop("name_or_path", None)
    (output / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n")
    (output / "training.json").write_text(json.dumps(record, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True, help="folder with Markdown files")
    parser.add_argument("--base", type=Path, required=True, help="model folder of a BERT sentence encoder, safetensors")
    parser.add_argument("--output", type=Path, required=True, help="model folder to write")
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--minutes", type=float, help="no step begins later than this; no limit when absent")
    parser.add_argument("--batch", type=int, default=4, help="questions a step; twice as many in the first")
    parser.add_argument("--rate", type=float, default=1.5e-4, help="highest learning rate")
    parser.add_argument("--tokens", type=int, default=160, help="of question and passage in training")
    parser.add_argument("--limit", type=int, default=256, help="of question and passage in use, written to the folder")
    parser.add_argument("--held-out", type=float, default=0.05, help="share of the documents")
    parser.add_argument("--questions", type=int, default=120, help="held-out questions")
    parser.add_argument("--candidates", type=int, default=12, help="of each held-out question")
    parser.add_argument("--checks", type=int, default=4, help="how often the held-out questions are asked")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--float", action="store_true", help="write model.onnx, too")
    options = parser.parse_args()

    started = time.monotonic()
    rng = random.Random(options.seed)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    torch.use_deterministic_algorithms(True)

    tokenizer = Tokenizer.from_file(str(options.base / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    passages = read_passages(options.corpus, tokenizer)
    documents = sorted({passage.document for passage in passages})
    held_documents = set(rng.sample(documents, max(1, round(len(documents) * options.held_out))))
    held = [at for at, passage in enumerate(passages) if passage.document in held_documents]
    training = [at for at, passage in enumerate(passages) if passage.document not in held_documents]
    siblings: defaultdict[int, list[int]] = defaultdict(list)
    for at in training:
        siblings[passages[at].document].append(at)
    maker = QuestionMaker(passages, Lexicon([passage.text for passage in passages]))
    say(documents=len(documents), passages=len(passages), heldOutPassages=len(held))

    def embedder(texts: list[str]) -> np.ndarray:
        return embed(options.base, tokenizer, texts)

    ranked, held_texts = ranked_questions(maker, held, options.questions, options.candidates, embedder, rng)
    figures = {
        name: mrr_by_kind(ranked, [question.orders[name] for question in ranked]) for name in ranked[0].orders
    }
    found = float(np.mean([question.question.passage in question.candidates for question in ranked]))
    say(seconds=round(time.monotonic() - started), answerAmongCandidates=round(found, 4), mrr10=figures)

    def held_out(score) -> tuple[dict[str, float], list[list[int]]]:
        orders = [rerank(maker, question, held_texts, score) for question in ranked]
        return mrr_by_kind(ranked, orders), orders

    def score_by_model(pairs: list[tuple[str, str]]) -> np.ndarray:
        with torch.inference_mode():
            return logits_of(model, tokenizer, pairs, options.tokens).numpy()

    model = CrossEncoder(options.base)
    # words that the corpus does not have must not be left behind by those that it has
    model.bert.embeddings.word_embeddings.weight.requires_grad = False
    learned = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(
        [
            {"params": [weight for weight in learned if weight.ndim > 1], "weight_decay": 0.01},
            {"params": [weight for weight in learned if weight.ndim == 1], "weight_decay": 0.0},
        ]
    )
    begun = time.monotonic()
    best, best_step, kept, losses = -1.0, 0, copy.deepcopy(model.state_dict()), []
    for step in range(1, options.steps + 1):
        # the rate rises for a moment and falls with what runs out first, steps or minutes
        spent = (time.monotonic() - begun) / 60 / options.minutes if options.minutes else 0.0
        progress = max((step - 1) / options.steps, spent)
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(step / 15, max(0.02, 1 - progress))
        easy = step <= options.steps * EASY_SHARE
        pairs = []
        questions = options.batch * (2 if easy else 1)
        for _ in range(questions):
            question, wrong = maker.draw(training, siblings, easy, rng)
            right = passages[question.passage].shown(question.breadcrumb, question.answer)
            pairs.append((question.text, right))
            pairs += [(question.text, passages[at].shown(question.breadcrumb)) for at in wrong]
        logits = logits_of(model, tokenizer, pairs, EASY_TOKENS if easy else options.tokens).view(questions, -1)
        # the right passage is the first of each list
        loss = torch.nn.functional.cross_entropy(logits, torch.zeros(questions, dtype=torch.long))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        losses.append(loss.item())
        last = step == options.steps or spent >= 1
        if step % 20 == 0 or last:
            say(step=step, loss=round(float(np.mean(losses[-20:])), 4), seconds=round(time.monotonic() - begun))
        if last or (step % max(1, options.steps // options.checks) == 0 and not easy):
            now, _ = held_out(score_by_model)
            say(step=step, heldOutMrr10=now, seconds=round(time.monotonic() - begun))
            if now["all"] > best:
                best, best_step, kept = now["all"], step, copy.deepcopy(model.state_dict())
        if last:
            break
    trained = round(time.monotonic() - begun)
    model.load_state_dict(kept)
    model.eval()

    options.output.mkdir(parents=True, exist_ok=True)
    float_file, quantised = options.output / "model.onnx", options.output / "model_quantized.onnx"
    export(model, float_file)
    quantize_dynamic(float_file, quantised, per_channel=True, weight_type=QuantType.QInt8)
    by_float, float_orders = held_out(onnx_scorer(float_file, tokenizer, options.limit))
    by_quantised, quantised_orders = held_out(onnx_scorer(quantised, tokenizer, options.limit))
    same_first = np.mean([a[0] == b[0] for a, b in zip(float_orders, quantised_orders)])
    correlation = np.mean(
        [np.corrcoef(np.argsort(a), np.argsort(b))[0, 1] for a, b in zip(float_orders, quantised_orders)]
    )
    example = onnx_scorer(quantised, tokenizer, options.limit)([(EXAMPLE[0], passage) for passage in EXAMPLE[1]])
    record = {
        "base": options.base.name,
        "settings": {name: value for name, value in vars(options).items() if not isinstance(value, Path)},
        "versions": {"torch": torch.__version__, "onnxruntime": onnxruntime.__version__},
        "documents": len(documents),
        "passages": len(passages),
        "heldOut": {"documents": len(held_documents), "passages": len(held), "questions": len(ranked)},
        "step": best_step,
        "trainingSeconds": trained,
        "mrr10": {**figures, "cross-encoder, float": by_float, "cross-encoder, 8 bits": by_quantised},
        "answerAmongCandidates": round(found, 4),
        "quantisation": {"sameFirst": round(float(same_first), 4), "rankCorrelation": round(float(correlation), 4)},
        "example": {
            "question": EXAMPLE[0],
            "passages": EXAMPLE[1],
            "logits": [round(float(logit), 4) for logit in example],
        },
    }
    write_folder(options.output, options.base, tokenizer, options.limit, record)
    if not options.float:
        float_file.unlink()
    say(**record)


if __name__ == "__main__":
    main()
