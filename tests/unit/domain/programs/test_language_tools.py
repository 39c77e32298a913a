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
dotnet format --verify-no-changes
dotnet format style --verify-no-changes --severity warn
dotnet tool list -g
dotnet workload list
dotnet nuget locals all --list
dotnet new list
dotnet help
mix credo --strict
mix xref graph --format stats
mix deps
bundle config get path
dart format --output=none --set-exit-if-changed .
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
dotnet test --blame
dotnet test -- RunConfiguration.TestAdaptersPaths=./x
dotnet test @args.rsp
dotnet help test
dotnet format
dotnet format --verify-no-changes /tmp/x.sln
dotnet tool install x
dotnet new console
dotnet nuget push x.nupkg
dotnet nuget locals all --clear
dotnet nuget locals all --list --clear
mix credo gen.config
mix xref graph --format dot
dart format -o none -o write .
dart format .
dotnet evil.dll --help
dotnet ./evil.dll --version
swift evil.swift --help
dart evil.dart --help
mix ecto.reset --help
stack evil.hs --help
bundle config set path x
""",
    "undecided-ask": r"""
bundle config
bundle config list
bundle config get gems.example.com
bundle env
""",
    "deny": r"""
bundle exec rm -rf /
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
