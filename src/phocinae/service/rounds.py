"""Calls that are interrupted to ask the client something: a token goes out, and the call goes on when it comes back.

The server remembers nothing of such a call but that its token was used.  A token is good
for one use, for ten minutes, by the same client, for the same call with the same
arguments, under the policy that judged it.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from ..domain.sealing import NONCE_BYTES, RoundCall, RoundClaims
from ..errors import StateRejected
from ..ports import Clock, SpentTokens, TokenCodec


@frozen(kw_only=True)
class RoundTrips:
    """Issues tokens and takes them back.

    `policy` returns the fingerprint of the policy that judges at that moment, `random`
    returns as many unforeseeable bytes as it is asked for.
    """

    codec: TokenCodec
    spent: SpentTokens
    policy: Callable[[], str]
    clock: Clock
    random: Callable[[int], bytes]

    def pause(self, call: RoundCall, state: bytes) -> str:
        """Return a token with which `call` can go on; the client can read `state` in it.

        Raises:
            ValueError: `state` is too long.
        """
        claims = RoundClaims.of(
            call, policy=self.policy(), issued=self.clock(), nonce=self.random(NONCE_BYTES), state=state
        )
        return self.codec.seal(claims.to_bytes())

    def resume(self, call: RoundCall, token: str) -> bytes:
        """Return the state with which `call` was interrupted, and spend the token.

        Raises:
            StateRejected: the token is not good, or no more; the text is for the log, and
                holds nothing of the token.
        """
        claims = RoundClaims.from_bytes(self.codec.open(token))
        claims.check(call, policy=self.policy(), now=self.clock())
        if not self.spent.spend(claims.nonce, claims.issued, claims.expires):
            raise StateRejected("it was used before")
        return claims.state
