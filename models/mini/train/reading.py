"""Processes that generate text while a GPU learns: it reads some millions of tokens a second, and one core writes a few hundred thousand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

Make = Callable[[int], Iterator[Any]]

READERS = max(1, (os.cpu_count() or 1) - 2) if torch.cuda.is_available() else 0
"""A CPU that learns has no core to spare, and needs none."""

AHEAD = 8
"""Batches that each process has ready."""


class Stream(IterableDataset):
    """What one of several processes reads: batches from a seed of its own."""

    def __init__(self, make: Make, seed: int) -> None:
        self.make, self.seed = make, seed

    def __iter__(self) -> Iterator[Any]:
        return self.make(self.seed + 1_000_003 * (get_worker_info().id + 1))


def read(make: Make, seed: int, readers: int) -> Iterator[Any]:
    """Batches without end, in the same order for the same seed and number of readers."""
    if readers == 0:
        return make(seed)
    return iter(DataLoader(Stream(make, seed), batch_size=None, num_workers=readers, prefetch_factor=AHEAD, pin_memory=True, multiprocessing_context="fork"))
