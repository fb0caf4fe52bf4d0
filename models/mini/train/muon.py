"""An optimiser for matrices: momentum, made orthogonal, so that every direction of a matrix learns equally fast."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import torch
from torch import Tensor

from peers import Peers
from precision import fastest

QUINTIC = (3.4445, -4.7750, 2.0315)
"""A polynomial that drives singular values from anywhere below one to near one in five rounds."""


class Muon(torch.optim.Optimizer):
    """Momentum whose update is brought near to the closest orthogonal matrix; its step is as long as AdamW's would be at the same rate."""

    def __init__(self, matrices: Iterable[Tensor], lr: float, peers: Peers, momentum: float = 0.95, weight_decay: float = 0.05) -> None:
        super().__init__(matrices, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})
        self.peers = peers

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]
        """One step; matrices of one shape are computed together, and each process computes its share."""
        for group in self.param_groups:
            alike: dict[torch.Size, list[Tensor]] = defaultdict(list)
            for matrix in group["params"]:
                alike[matrix.shape].append(matrix)
            for shape, matrices in alike.items():
                pushed = torch.stack(self._pushed(matrices, group["momentum"]))
                share = self.peers.share(len(matrices))
                updates = torch.zeros_like(pushed)
                updates[share] = orthogonal(pushed[share]).type_as(pushed)
                self.peers.gathered(updates)
                length = 0.2 * max(shape) ** 0.5
                torch._foreach_mul_(matrices, 1 - group["lr"] * group["weight_decay"])
                torch._foreach_add_(matrices, updates.unbind(), alpha=-group["lr"] * length)

    def _pushed(self, matrices: list[Tensor], momentum: float) -> list[Tensor]:
        """The gradients with the momentum that they have gathered, one step ahead."""
        gradients = [matrix.grad for matrix in matrices]
        gathered = [self._momentum(matrix) for matrix in matrices]
        torch._foreach_lerp_(gathered, gradients, 1 - momentum)
        return torch._foreach_lerp(gradients, gathered, momentum)

    def _momentum(self, matrix: Tensor) -> Tensor:
        """What a matrix has gathered so far."""
        state = self.state[matrix]
        if "momentum" not in state:
            state["momentum"] = torch.zeros_like(matrix)
        return state["momentum"]


def orthogonal(matrices: Tensor, rounds: int = 5) -> Tensor:
    """A stack of matrices with all their singular values near one."""
    one, three, five = QUINTIC
    x = matrices.to(fastest(matrices.device))
    is_tall = x.shape[-2] > x.shape[-1]
    x = x.mT if is_tall else x
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(rounds):
        squared = x @ x.mT
        x = one * x + (three * squared + five * squared @ squared) @ x
    return x.mT if is_tall else x
