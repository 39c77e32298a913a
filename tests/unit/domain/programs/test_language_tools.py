"""Verdicts on the programs of `phocinae.domain.programs.language_tools`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
bundle list
composer show --installed
dotnet test -c Release --no-restore
dotnet test tests/My.Tests.csproj
bundle exec rspec spec/models
swift test --filter X
mix test test/x_test.exs:12
dotnet test
dotnet test --no-build --filter Name~X
dotnet --version
dotnet --info
dotnet list package
swift test
mix test
mix format --check-formatted
bundle exec rspec
bundle exec rubocop
bundle show rails
composer show
composer validate
flutter test
""",
    "undecided": r"""
composer outdated
dotnet build
dotnet run
dotnet test --logger trx
dotnet test --settings x
mix deps.get
bundle install
bundle
composer install
composer test foo
""",
    "deny": r"""
bundle exec rm -rf /
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
