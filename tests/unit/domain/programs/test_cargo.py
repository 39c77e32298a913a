"""Verdicts on the programs of `phocinae.domain.programs.cargo`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
cargo tree --depth 1
cargo tree -e features
cargo metadata --format-version=1
cargo test --release
cargo test --doc
cargo test --test integration
cargo test -q
cargo test --no-fail-fast -- --include-ignored
cargo clippy --workspace -- -W clippy::all
cargo fmt -- --check
cargo check --workspace
cargo test
cargo test -- --nocapture
cargo test foo -- --test-threads=1
cargo test --workspace --all-features
cargo test -p mycrate --lib
cargo nextest run
cargo check --all-targets
cargo clippy -- -D warnings
cargo clippy --all-targets --all-features -- -D warnings -W clippy::pedantic
cargo fmt --check
cargo fmt --all -- --check
cargo tree -i serde
cargo metadata --no-deps --format-version 1
cargo --version
cargo --list
cargo help test
rustc --version
rustc --print sysroot
rustup show
rustup toolchain list
rustc -V
rustc --version --verbose
rustc -vV
cargo fmt -- --check --color never --edition 2021
rustup run nightly cargo test
""",
    "undecided": r"""
cargo bench --no-run
cargo build
cargo run
cargo fmt
cargo clippy --fix
cargo add x
cargo install x
cargo publish
cargo test --config build.rustc-wrapper=./x
cargo test -- --logfile x
cargo clippy -- -C linker=./x
cargo xtask --help
cd /tmp/x && cargo tree
cd /tmp/x && cargo metadata
cargo test --target ./evil.json
cargo test --manifest-path /tmp/x/Cargo.toml
cargo foo test
rustc main.rs
rustc --print=sysroot=out.txt
rustc --verbose main.rs
cargo fmt -- --color never
cargo fmt -- --check --config-path /tmp/x
rustup run --install nightly cargo test
cargo +nightly test
cargo +1.80.0 check
cargo +stable-x86_64-unknown-linux-gnu clippy
""",
    "undecided-ask": r"""
cargo +./x test
cargo +/tmp/x check
rustup run ./x cargo test
""",
    "deny": r"""
rustc --print=cfg=/etc/x
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
