"""What a delivery brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Optional, TypeVar

Data = TypeVar("Data")


@dataclass(frozen=True)
class Event(Generic[Data]):
    """An event in one shape for both envelopes; `waybill.events` has a class for each of the catalogue."""

    # `webhook-id`: the same on every attempt of this delivery. Remember it to do the work once.
    id: str
    type: str
    # When it happened (RFC 3339); None in the original envelope, which does not say.
    timestamp: Optional[str]
    data: Data
