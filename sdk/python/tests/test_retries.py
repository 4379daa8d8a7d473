from __future__ import annotations

import unittest
from http.server import BaseHTTPRequestHandler
from typing import List, Optional, Tuple

from waybill import Waybill, WaybillError
from waybill.models import RaiseEventsBodyItem

from .listening import listening

EVENT: RaiseEventsBodyItem = {"id": "1", "type": "package.created", "data": {}}


class Retries(unittest.TestCase):
    def setUp(self) -> None:
        self.seen: List[Tuple[Optional[str], bytes]] = []
        # What is answered first; 200 after that. 0: the connection breaks.
        self.refusals: List[int] = []
        self.retry_after = "0"

        def handle(request: BaseHTTPRequestHandler, body: bytes) -> None:
            self.seen.append((request.headers.get("Idempotency-Key"), body))
            refusal = self.refusals.pop(0) if self.refusals else 200
            if refusal == 0:
                request.close_connection = True
                return
            request.send_response(refusal)
            request.send_header("Content-Type", "application/json")
            request.send_header("Retry-After", self.retry_after)
            request.end_headers()
            request.wfile.write(b'{"id": 1}' if refusal == 200 else b'{"detail": "Not now."}')

        context = listening(handle)
        self.waybill = Waybill(context.__enter__(), "key", max_retries=2)
        self.addCleanup(context.__exit__, None, None, None)

    def rename(self) -> None:
        self.waybill.update_stock_location(1, {"name": "Depot"})

    def raise_event(self) -> None:
        self.waybill.raise_events(EVENT)

    def assert_refused(self, status: int, call: object) -> None:
        assert callable(call)
        with self.assertRaises(WaybillError) as refused:
            call()
        self.assertEqual(refused.exception.status, status)

    def test_a_post_is_sent_again_with_the_same_key_and_body(self) -> None:
        self.refusals = [503, 0]
        self.raise_event()
        self.assertEqual((len(self.seen), len(set(self.seen))), (3, 1))
        self.raise_event()
        self.assertNotEqual(self.seen[3][0], self.seen[0][0])

    def test_a_key_of_the_caller_is_kept(self) -> None:
        self.waybill.raise_events(EVENT, idempotency_key="mine")
        self.assertEqual(self.seen[0][0], "mine")

    def test_what_may_have_happened_is_not_done_again_without_a_key(self) -> None:
        self.refusals = [503]
        self.assert_refused(503, self.rename)
        self.refusals = [0]
        self.assert_refused(0, self.rename)
        self.refusals = [503]
        self.assert_refused(503, self.waybill.logout)
        self.assertEqual((len(self.seen), self.seen[2][0]), (3, None))

    def test_what_was_refused_for_being_too_much_is_always_tried_again(self) -> None:
        self.refusals = [429]
        self.rename()
        self.assertEqual(len(self.seen), 2)

    def test_other_refusals_and_the_last_of_several_are_errors(self) -> None:
        self.refusals = [500]
        self.assert_refused(500, self.raise_event)
        self.refusals = [503, 503, 503]
        self.assert_refused(503, self.raise_event)
        self.assertEqual(len(self.seen), 4)

    def test_a_server_that_asks_for_minutes_gets_an_error_instead(self) -> None:
        self.refusals, self.retry_after = [429], "90"
        self.assert_refused(429, self.raise_event)
        self.assertEqual(len(self.seen), 1)

    def test_a_redirect_is_not_followed(self) -> None:
        self.refusals = [302]
        self.assert_refused(302, self.waybill.list_hooks)
        self.assertEqual(len(self.seen), 1)
