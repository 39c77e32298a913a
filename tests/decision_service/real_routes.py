"""The routes of the published phocinae-server with an engine of ours, run by an interpreter that has that package.

usage: python -I real_routes.py PORT JSON

Routes, schemas, checks and the form of answers are the package's own; the model, which
would need its weights, is replaced by figures.  JSON holds ``ready`` and the
variables that the package reads.  It prints its port on one line once it serves, and
then answers each line of standard input with one: an object replaces figures, and null
asks for the calls that have reached the engine.  It ends with its standard input.
"""

from __future__ import annotations

import importlib
import json
import os
import socket
import sys
import threading
import time
from types import ModuleType, SimpleNamespace
from typing import Any

import uvicorn

FIGURES: dict[str, Any] = {"noul": 0.9, "score": 3, "choice": 0, "delay": 0.0, "fails": False}
"""What the engine answers: p(true), a score, an index; after how many seconds; and whether it fails instead."""
CALLS: list[dict[str, Any]] = []


class Engine:
    """What the server needs of the real one."""

    device = SimpleNamespace(type="cpu")
    max_len, head_max_len = 512, 192

    def __init__(self, *, perm_avg: bool) -> None:
        self.perm_avg = perm_avg

    def run(
        self, state: str, questions: list[dict[str, Any]], perm: bool | None = None, **_how: bool
    ) -> tuple[dict[str, Any], ...]:
        """Return answers, confidence, action, usage and scores of each option, as the real one does."""
        CALLS.append({"state": state, "questions": questions, "perm": perm})
        time.sleep(FIGURES["delay"])
        if FIGURES["fails"]:
            raise RuntimeError("the engine was told to fail")
        answers, scores = {}, {}
        for question in questions:
            answers[question["id"]], scores[question["id"]] = answer(question)
        confidence = {name: round(max(vector), 4) for name, vector in scores.items()}
        usage = {"input_tokens": len(state.encode()) // 4, "output_tokens": 0}
        return answers, confidence, {name: {"act_probability": 0.5} for name in answers}, usage, scores


def answer(question: dict[str, Any]) -> tuple[Any, list[float]]:
    """Return the answer to a question and the probability of each of its options."""
    if question["type"] == "noul":
        probability = FIGURES["noul"]
        threshold = question["threshold"]
        return probability >= (0.5 if threshold is None else threshold), [round(1 - probability, 4), probability]
    if question["type"] == "score":
        return FIGURES["score"], peak(9, FIGURES["score"] - 2)
    return FIGURES["choice"], peak(len(question["options"]), FIGURES["choice"])


def peak(size: int, place: int) -> list[float]:
    """Return `size` probabilities, the highest of them at `place`."""
    return [1.0] if size == 1 else [0.7 if one == place else round(0.3 / (size - 1), 4) for one in range(size)]


class Server(uvicorn.Server):
    """Says its port when it serves."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        assert sockets
        print(sockets[0].getsockname()[1], flush=True)


def obey(server: uvicorn.Server) -> None:
    """Follow the lines of standard input to their end, and end the server then."""
    for line in sys.stdin:
        order = json.loads(line)
        FIGURES.update(order or {})
        print(json.dumps(CALLS if order is None else {}), flush=True)
    server.should_exit = True


def main() -> None:
    port, options = int(sys.argv[1]), json.loads(sys.argv[2])
    os.environ.update(options["environment"])  # read by the package once, when it is imported
    stand_in = ModuleType("phocinae.engine")
    limits = {"MAX_OPTIONS": 255, "MAX_QUESTIONS": 64, "MAX_POS": 8192}
    vars(stand_in).update(limits | {"Engine": Engine})
    sys.modules["phocinae.engine"] = stand_in
    routes = importlib.import_module("phocinae.server")
    engine = Engine(perm_avg=False) if options["ready"] else None
    vars(routes)["load_engine"] = lambda: engine
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        server = Server(uvicorn.Config(vars(routes)["app"], log_level="error"))
        threading.Thread(target=obey, args=(server,), daemon=True).start()
        server.run(sockets=[listener])


if __name__ == "__main__":
    main()
