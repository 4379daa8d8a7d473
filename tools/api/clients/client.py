"""A client of openapi-python-client: subscribes, raises an event, and reads the log."""

import json
import os

from waybill_client import AuthenticatedClient
from waybill_client.api.events import raise_events
from waybill_client.api.order_management_hooks import create_hook, list_hook_events
from waybill_client.models import Hook, NewHook, RaiseEventsAnswer, RaiseEventsBodyItem

client = AuthenticatedClient(base_url=os.environ["SERVER"], token=os.environ["TOKEN"], prefix="Token")

new = NewHook(event_type="package.created", target_url=f"{os.environ['RECEIVER']}/python")
hook = create_hook.sync(client=client, body=new)
assert isinstance(hook, Hook), hook
event = RaiseEventsBodyItem.from_dict(
    {"id": "python", "type": "package.created", "data": json.loads(os.environ["EVENT"])}
)
raised = raise_events.sync(client=client, body=event)
assert isinstance(raised, RaiseEventsAnswer) and raised.accepted == 1, raised
log = list_hook_events.sync(client=client, limit=5)
assert isinstance(log, list) and any(delivery.webhook.id == hook.id for delivery in log), log
