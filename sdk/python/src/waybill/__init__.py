"""Client of a Waybill server, types of its events, and verification of its webhooks."""

from . import events, models
from .client import Waybill
from .errors import WaybillError
from .event import Event
from .webhooks import WebhookVerificationError, verify_signature, verify_webhook

__all__ = [
    "Event",
    "Waybill",
    "WaybillError",
    "WebhookVerificationError",
    "events",
    "models",
    "verify_signature",
    "verify_webhook",
]
