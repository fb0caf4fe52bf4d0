"""A training run: it stops on time, saves itself, resumes where it stopped, and may be shared by several processes."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from model import Llama
from muon import Muon
from peers import ALONE, Peers, meeting_place
from reading import READERS, read

SAYS_EVERY, SAVES_EVERY = 60, 300
"""Seconds between two lines of the log, and between two checkpoints."""


class Task(Protocol):
    """What is learned."""

    model: Llama

    def batches(self, seed: int, size: int, peers: Peers) -> Iterator[Any]:
        """Batches without end, each about as large as `size`; every peer gets its own."""

    def loss(self, batch: Any) -> Tensor:
        """What a step makes smaller."""

    def size(self, batch: Any) -> int:
        """How much was read."""

    def held_out(self) -> str:
        """How well it does on what it does not learn from, in words."""


def options_of(text: str, minutes: float, out: str, batch: int) -> argparse.ArgumentParser:
    """The options that every training has."""
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--minutes", type=float, default=minutes, help="wall time of training; the learning rate falls to its end by then")
    parser.add_argument("--out", type=Path, default=Path(out), help="folder of the checkpoint and the tokenizer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=batch, help="size of a batch")
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--flat", type=float, default=0.5, help="share of the time before the learning rate begins to fall")
    parser.add_argument("--processes", type=int, default=2, help="processes that share each batch, one thread each: as many as there are cores")
    parser.add_argument("--threads", type=int, default=1, help="threads of each process")
    parser.add_argument("--readers", type=int, default=READERS, help="processes that only generate text, each from its own seed; with none, training does it")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    return parser


def spread(run: Any, options: argparse.Namespace) -> None:
    """Calls `run(rank, options, place)` in as many processes as the options ask for."""
    if torch.cuda.is_available():
        options.processes = 1
    if options.processes > 1:
        torch.multiprocessing.spawn(run, (options, meeting_place()), options.processes)
    else:
        run(0, options, "")


def joined(rank: int, options: argparse.Namespace, place: str) -> Peers:
    """This process, ready: its threads, its seed, its peers."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    return Peers.joined(rank, options.processes, place)


def stored_in(folder: Path) -> dict[str, Any]:
    """The checkpoint of a folder."""
    return torch.load(folder / "checkpoint.pt", map_location="cpu", weights_only=True)


def begun_anew(model: Llama) -> dict[str, Any]:
    """A checkpoint of a model that has learned nothing yet in this run: its optimisers begin anew."""
    states = [each.state_dict() for each in optimizers_of(model, 1e-3, ALONE)]
    return {"shape": model.shape.as_dict(), "model": model.state_dict(), "optimizers": states, "spent": 0.0, "step": 0, "seen": 0}


class Training:
    """A task, its optimisers, and how far it has come."""

    def __init__(self, task: Task, options: argparse.Namespace, peers: Peers) -> None:
        self.task, self.options, self.peers = task, options, peers
        self.optimizers = optimizers_of(task.model, options.rate, peers)
        self.spent, self.step, self.seen = 0.0, 0, 0
        if options.resume:
            self._resume(stored_in(options.out))
        self._say(f"{task.model.size() / 1e6:.2f} M parameters, {peers.count} x {torch.get_num_threads()} threads")

    @property
    def part(self) -> float:
        """The share of the time that is over."""
        return min(self.spent / (self.options.minutes * 60), 1.0)

    def run(self) -> None:
        """Trains until the time is up."""
        size = self.options.batch // self.peers.count
        source = read(lambda seed: self.task.batches(seed, size, self.peers), self.options.seed + self.step, self.options.readers)
        losses: list[Tensor] = []
        said = saved = last = time.monotonic()
        while self.part < 1:
            now = time.monotonic()
            losses.append(self._learn(next(source), now - last))
            last = now
            if now - said > SAYS_EVERY:
                self._stand(f"loss {torch.stack(losses).mean():.4f}")
                said, losses = now, []
            if now - saved > SAVES_EVERY:
                self._save()
                saved = now
        self._save()
        self._stand("done")
        self.peers.leave()

    def _learn(self, batch: Any, passed: float) -> Tensor:
        """One step on one batch, `passed` seconds after the last; its loss."""
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = self.options.rate * pace(self.part, self.step, self.options.flat)
        loss = self.task.loss(batch)
        loss.backward()
        counted = torch.tensor([passed, float(self.task.size(batch))])
        self.peers.average([counted, *(each.grad for each in self.task.model.parameters() if each.grad is not None)])
        torch.nn.utils.clip_grad_norm_(self.task.model.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.spent += float(counted[0])
        self.step, self.seen = self.step + 1, self.seen + round(float(counted[1]) * self.peers.count)
        return loss.detach()

    def _stand(self, more: str) -> None:
        if self.peers.rank == 0:
            self._say(f"{self.spent / 60:6.1f} min  step {self.step}  {self.seen / 1e6:.2f} M  {self.seen / max(self.spent, 1):.0f}/s  {more}  {self.task.held_out()}")

    def _say(self, text: str) -> None:
        if self.peers.rank == 0:
            print(text, flush=True)

    def _save(self) -> None:
        """Writes a checkpoint beside the old one, then puts it in its place."""
        if self.peers.rank:
            return
        model = self.task.model
        states = [each.state_dict() for each in self.optimizers]
        stored = {"shape": model.shape.as_dict(), "model": model.state_dict(), "optimizers": states, "spent": self.spent, "step": self.step, "seen": self.seen}
        fresh = self.options.out / "checkpoint.new"
        torch.save(stored, fresh)
        fresh.replace(self.options.out / "checkpoint.pt")

    def _resume(self, stored: dict[str, Any]) -> None:
        self.task.model.load_state_dict(stored["model"])
        for optimizer, state in zip(self.optimizers, stored["optimizers"], strict=True):
            optimizer.load_state_dict(state)
        self.spent, self.step, self.seen = stored["spent"], stored["step"], stored["seen"]


def optimizers_of(model: Llama, rate: float, peers: Peers) -> tuple[torch.optim.Optimizer, ...]:
    """Muon for the matrices inside the layers, AdamW for the embedding and the gains."""
    matrices = [each for each in model.blocks.parameters() if each.dim() == 2]
    gains = [each for each in model.parameters() if each.dim() == 1]
    groups = [{"params": [model.embedding.weight], "weight_decay": 0.01}, {"params": gains, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=True), Muon(matrices, rate, peers)


def pace(part: float, step: int, flat: float, warm_up: int = 50) -> float:
    """The learning rate's share: warm up by steps, stay, then fall with the time that is left."""
    falling = max(0.0, part - flat) / (1 - flat)
    return min(1.0, (step + 1) / warm_up) * max(0.02, 0.5 * (1 + math.cos(math.pi * falling)))
