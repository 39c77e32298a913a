"""What filters make of a known text, and where nothing is said of it."""

from __future__ import annotations

import pytest

from phocinae.domain.decoding import LONGEST_DECODED, decoded


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        (["base64", "-d"], "bHM=\n", "ls"),
        (["base64", "--decode"], "bHMg\nLWw=", "ls -l"),
        (["base64", "-D"], "bHM=", "ls"),
        (["base32", "-d"], "NRZQ====", "ls"),
        (["xxd", "-r", "-p"], "6c 73", "ls"),
        (["rev"], "sl\na-", "ls\n-a"),
        (["tr", "a-z", "n-za-m"], "yf", "ls"),
        (["tr", "[:upper:]", "[:lower:]"], "LS", "ls"),
        (["tr", "_", " "], "ls_-l", "ls -l"),
        (["tr", " ", "\\n"], "a b", "a\nb"),
        (["tr", "ab", "x"], "abc", "xxc"),
        (["tr", "-d", "x"], "lxs", "ls"),
    ],
)
def test_what_comes_out(words: list[str], text: str, expected: str) -> None:
    assert decoded(words[0], words[1:], text) == expected


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["base64"], "ls"),
        (["base64", "-d"], "no base64!"),
        (["base64", "-d"], "\xe9"),
        (["xxd", "-r", "-p"], "xyz"),
        (["xxd"], "6c"),
        (["tr", "-s", "a", "b"], "aa"),
        (["tr", "a"], "aa"),
        (["tr", "a", ""], "aa"),
        (["sed", "s/a/b/"], "a"),
        (["rev"], "x" * (LONGEST_DECODED + 1)),
    ],
)
def test_where_nothing_is_said(words: list[str], text: str) -> None:
    assert decoded(words[0], words[1:], text) is None
