import json
import os
import unittest
from importlib.util import find_spec

from waybill import WebhookVerificationError, events, verify_signature, verify_webhook


class Webhooks(unittest.TestCase):
    def setUp(self) -> None:
        # Signed by the server's own code, and changed in each of the ways that matter.
        with open(os.environ["SIGNATURE_CASES"], encoding="utf8") as file:
            self.cases = json.load(file)
        self.genuine = self.cases[0]

    def test_what_is_genuine_is_accepted_and_nothing_else(self) -> None:
        self.assertGreater(len(self.cases), 20)
        for case in self.cases:
            if case["secret"].startswith("whpk_") and find_spec("cryptography") is None:
                with self.assertRaisesRegex(RuntimeError, "cryptography"):
                    verify_signature({**self.genuine["headers"]}, self.genuine["body"], case["secret"])
                continue
            for body in (case["body"], case["body"].encode()):
                with self.subTest(case["name"], secret=case["secret"][:5]):
                    try:
                        verify_signature(case["headers"], body, case["secret"])
                        accepted = True
                    except WebhookVerificationError:
                        accepted = False
                    self.assertEqual(accepted, case["expected"])

    def test_an_event_has_the_class_of_its_type(self) -> None:
        loud = {name.upper(): value for name, value in self.genuine["headers"].items()}
        event = verify_webhook(loud, self.genuine["body"], ["whsec_AAAA", self.genuine["secret"]])
        self.assertIsInstance(event, events.PackageCreated)
        self.assertEqual((event.id, event.type), ("msg", "package.created"))

    def test_the_tolerance_is_the_callers(self) -> None:
        old = next(case for case in self.cases if case["name"] == "six minutes old")
        with self.assertRaises(WebhookVerificationError) as refused:
            verify_signature(old["headers"], old["body"], old["secret"])
        self.assertEqual(refused.exception.reason, "timestamp")
        verify_signature(old["headers"], old["body"], old["secret"], tolerance_seconds=600)

    def test_an_empty_secret_is_a_mistake_of_the_receiver(self) -> None:
        with self.assertRaises(ValueError):
            verify_signature(self.genuine["headers"], self.genuine["body"], "")
