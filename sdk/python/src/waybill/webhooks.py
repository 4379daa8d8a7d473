"""Verification of deliveries: Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Iterable, List, Protocol, Sequence, Tuple, Union

from .event import Event
from .events import EVENTS

Secrets = Union[str, Sequence[str]]


class Headers(Protocol):
    """A mapping, or the headers of a request of `http.server`. Names may be in any case."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


class WebhookVerificationError(Exception):
    """A delivery that must not be believed. Answer 401, and look at `reason`.

    `reason`: "headers" (one is missing), "timestamp" (too far from now), "signature" (nothing of the secrets
    signed it) or "body" (genuine, but no event).
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    headers: Headers, raw_body: Union[bytes, str], secret: Secrets, *, tolerance_seconds: float = 300
) -> Event[Any]:
    """Checks that a delivery comes from Waybill, and returns its event.

    raw_body: the bytes as they came, before any JSON parser.
    secret: `whsec_...`, another text, or the public key `whpk_...`; while it is being changed, the old and the new one.
    An event of the catalogue is one of the classes of `waybill.events`; any other one is a plain `Event`.
    """
    message_id = verify_signature(headers, raw_body, secret, tolerance_seconds=tolerance_seconds)
    try:
        body = json.loads(raw_body)
    except ValueError:
        body = None
    envelope = body if isinstance(body, dict) else {}
    original = envelope.get("event")
    event_type = original.get("type") if isinstance(original, dict) else envelope.get("type")
    if not isinstance(event_type, str):
        raise WebhookVerificationError("body", "The delivery is genuine, but it is no event.")
    data = envelope.get("data") if original is None else envelope.get("payload")
    return EVENTS.get(event_type, Event)(message_id, event_type, envelope.get("timestamp"), data)


def verify_signature(
    headers: Headers, raw_body: Union[bytes, str], secret: Secrets, *, tolerance_seconds: float = 300
) -> str:
    """The same for what is no event, such as data of a flow. Returns the id of the delivery, the same on every attempt."""
    named = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (named.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not message_id or not timestamp or not signatures:
        raise WebhookVerificationError("headers", "webhook-id, webhook-timestamp or webhook-signature is missing.")
    is_number = timestamp.isascii() and timestamp.isdigit()
    if not is_number or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("timestamp", f"webhook-timestamp is not within {tolerance_seconds} s of now.")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    signed = f"{message_id}.{timestamp}.".encode() + body
    secrets = [secret] if isinstance(secret, str) else secret
    if not any(_is_signed_with(one, signed, signatures.split(" ")) for one in secrets):
        raise WebhookVerificationError("signature", "No signature was made with the secret.")
    return message_id


def _is_signed_with(secret: str, signed: bytes, signatures: Sequence[str]) -> bool:
    if secret == "":
        raise ValueError("The secret of a webhook cannot be empty.")
    if secret.startswith("whpk_"):
        return _is_signed_by_owner(secret, signed, _of_version("v1a", signatures))
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    return any(hmac.compare_digest(expected, given) for given in _of_version("v1", signatures))


def _of_version(version: str, signatures: Sequence[str]) -> List[bytes]:
    found = []
    for one in signatures:
        if one.startswith(f"{version},"):
            try:
                found.append(base64.b64decode(one[len(version) + 1 :]))
            except (binascii.Error, ValueError):
                continue
    return found


def _is_signed_by_owner(public_key: str, signed: bytes, signatures: Sequence[bytes]) -> bool:
    """Ed25519, which Python's own library does not have."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as missing:
        raise RuntimeError("Signatures of a key pair need the package cryptography: pip install 'waybill[v1a]'.") from missing
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key[5:]))
    for given in signatures:
        try:
            key.verify(given, signed)
            return True
        except InvalidSignature:
            continue
    return False
