"""Verdicts on the programs of `phocinae.domain.programs.golang`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
go list -m -json all
go list -deps ./...
go test
go test -v
go test -v -cover ./internal/...
go test -short ./...
go test -run ^TestX$ ./...
go test ./...
go test ./... -v
go test -race -count=1 ./pkg/...
go test -run TestFoo -v ./pkg
go test ./pkg -run 'TestA|TestB' -timeout 30s
go test -bench=. -benchmem ./...
go test -cover ./...
go vet ./...
go list ./...
go list -m all
go list -f '{{.Dir}}' ./...
go env
go env GOPATH GOROOT
go version
go mod graph
go mod why -m x
go mod verify
go doc fmt.Println
go help test
go list -json=Dir,ImportPath ./...
go tool
go tool dist list
go tool cover -func=c.out
go tool cover -func c.out
go mod edit -json
go -C sub test ./...
""",
    "undecided": r"""
go test -coverprofile=c.out ./...
go test -c ./...
go build ./...
go run main.go
go generate
go mod tidy
go get x
go env -w GOFLAGS=-mod=mod
go list -mod=mod ./...
go list -u -m all
go fmt ./...
go test /tmp/evil/...
go test -fuzz=FuzzX ./parser
go -C /tmp/x test ./...
go -C ../x vet ./...
go mod edit -require=x
go tool cover -html=c.out
go tool cover -func=c.out -o x
go tool pprof x
go tool evil dist list
""",
    "undecided-ask": r"""
go test ./... -exec ./x
go test -exec=./x ./...
go test -toolexec ./x
go vet -vettool=./x ./...
go vet ./... -vettool=./x
""",
    "deny": r"""
go test -coverprofile=/etc/x ./...
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
