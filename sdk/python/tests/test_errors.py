import json
import unittest
from pathlib import Path

from waybill.errors import read_error_body


class Errors(unittest.TestCase):
    def test_errors_of_every_surface_have_one_shape(self) -> None:
        cases = json.loads((Path(__file__).parents[2] / "error-cases.json").read_text(encoding="utf8"))
        for case in cases:
            with self.subTest(case["message"]):
                self.assertEqual({"body": case["body"], **read_error_body(case["body"])._asdict()}, case)
