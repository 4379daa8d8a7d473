"""Against a server that runs: WAYBILL_URL, WAYBILL_KEY."""

from __future__ import annotations

import os
import queue
import unittest
from http.server import BaseHTTPRequestHandler
from typing import Any

from waybill import Event, Waybill, WaybillError, events, verify_webhook
from waybill.models import RaiseEventsBodyItem

from .listening import listening

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def parcel(number: int) -> RaiseEventsBodyItem:
    data = {"id": number, "number": f"P-{number}", "order_number": "O-1", "status": "created", "items": []}
    return {"id": f"py-{number}", "type": "package.created", "data": data}


class Server(unittest.TestCase):
    def setUp(self) -> None:
        self.waybill = Waybill(os.environ["WAYBILL_URL"], os.environ["WAYBILL_KEY"])

    def test_an_event_is_raised_delivered_and_verified(self) -> None:
        arrived: "queue.Queue[Event[Any]]" = queue.Queue()

        def handle(request: BaseHTTPRequestHandler, body: bytes) -> None:
            request.send_response(204)
            request.end_headers()
            arrived.put(verify_webhook(request.headers, body, SECRET))

        with listening(handle) as url:
            for number, envelope in ((1001, "original"), (1002, "standard")):
                hook = self.waybill.create_hook(
                    {
                        "event_type": "package.created",
                        "target_url": f"{url}/",
                        "secret_key": SECRET,
                        "config": {"format": "original" if envelope == "original" else "standard"},
                    }
                )
                self.assertEqual(self.waybill.raise_events(parcel(number)), {"accepted": 1, "duplicates": 0})
                event = arrived.get(timeout=30)
                self.assertIsInstance(event, events.PackageCreated)
                self.assertEqual(event.data["number"], f"P-{number}")
                self.assertEqual(event.timestamp is None, envelope == "original")
                self.waybill.remove_hook(hook["id"])

    def test_a_list_is_read_to_its_end_page_after_page(self) -> None:
        self.waybill.raise_events([parcel(1100 + index) for index in range(25)])
        found = {event["id"] for event in self.waybill.each(self.waybill.list_events, limit=7, type="package.created")}
        self.assertGreaterEqual(len(found), 25)
        self.assertEqual(len(found), len(self.waybill.list_events(limit=1000, type="package.created")))

    def test_a_list_in_an_envelope_too(self) -> None:
        for name in ("red", "green", "blue"):
            self.waybill.create_division({"name": name, "erp_code": f"py-{name}"})
        names = {division["name"] for division in self.waybill.each(self.waybill.list_divisions, limit=2)}
        self.assertLessEqual({"red", "green", "blue"}, names)

    def test_an_error_says_which_field_and_which_rule(self) -> None:
        with self.assertRaises(WaybillError) as wrong:
            self.waybill.create_hook({"event_type": "package.created", "target_url": "nowhere"})
        self.assertEqual((wrong.exception.status, list(wrong.exception.fields)), (400, ["target_url"]))
        self.assertTrue(wrong.exception.request_id)
        self.waybill.raise_events(parcel(1900))
        with self.assertRaises(WaybillError) as reused:
            self.waybill.raise_events({**parcel(1901), "id": "py-1900"})
        self.assertEqual((reused.exception.status, reused.exception.code), (409, "event_id_reused"))

    def test_a_post_that_is_repeated_gets_the_first_answer(self) -> None:
        first = self.waybill.create_stock_location({"code": "PY-1", "name": "Depot"}, idempotency_key="py-once")
        again = self.waybill.create_stock_location({"code": "PY-1", "name": "Depot"}, idempotency_key="py-once")
        self.assertEqual(first, again)

    def test_a_server_that_is_not_there_is_an_error_with_its_reason(self) -> None:
        with self.assertRaisesRegex(WaybillError, "got no answer"):
            Waybill("http://127.0.0.1:1", max_retries=0).list_hooks()
