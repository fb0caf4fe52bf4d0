"""Several processes that train one model together, one core each: where cores are shared with others, none waits for another's threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import mkdtemp

import torch
import torch.distributed as dist
from torch import Tensor


def meeting_place() -> str:
    """Where the processes of one run find each other."""
    return f"file://{mkdtemp()}/peers"


@dataclass(frozen=True)
class Peers:
    """This process among `count`."""

    rank: int = 0
    count: int = 1

    @staticmethod
    def joined(rank: int, count: int, place: str) -> Peers:
        """Waits until all are there."""
        if count > 1:
            dist.init_process_group("gloo", init_method=place, rank=rank, world_size=count)
        return Peers(rank, count)

    def leave(self) -> None:
        """Waits for the others and lets go of them."""
        if self.count > 1:
            dist.barrier()
            dist.destroy_process_group()

    def average(self, tensors: Sequence[Tensor]) -> None:
        """Puts the mean over all processes into every tensor."""
        if self.count == 1:
            return
        flat = torch.cat([each.flatten() for each in tensors])
        dist.all_reduce(flat)
        flat /= self.count
        for each, mean in zip(tensors, flat.split([each.numel() for each in tensors]), strict=True):
            each.copy_(mean.view_as(each))

    def gathered(self, rows: Tensor) -> Tensor:
        """`rows` with each process's share from the one that computed it; the others have zeros there."""
        if self.count > 1:
            dist.all_reduce(rows)
        return rows

    def share(self, rows: int) -> slice:
        """Which of so many rows this process computes."""
        return slice(rows * self.rank // self.count, rows * (self.rank + 1) // self.count)


ALONE = Peers()
