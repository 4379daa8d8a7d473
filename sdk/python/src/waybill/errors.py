"""Why a call did not succeed."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional

# Names beside which no field has messages.
_OTHERS = ("non_field_errors", "apiError", "allowed_actions")


class ErrorReading(NamedTuple):
    """What a body says, whichever surface it comes from."""

    message: str
    code: Optional[str]
    fields: Mapping[str, List[str]]
    allowed_actions: List[str]


class WaybillError(Exception):
    """An answer that is no 2xx, or none at all, in one shape for all of the API."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: Optional[str] = None,
        fields: Optional[Mapping[str, List[str]]] = None,
        allowed_actions: Optional[List[str]] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[int] = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        # HTTP status; 0 when no answer came.
        self.status = status
        # Code of a broken rule: it does not change, where sentences may.
        self.code = code
        # What was wrong with each field of the request.
        self.fields = fields or {}
        # What can be done instead, where a life cycle refused.
        self.allowed_actions = allowed_actions or []
        # By which whoever runs the server finds the request in its log.
        self.request_id = request_id
        # When to try again, where the server said so.
        self.retry_after_seconds = retry_after_seconds
        # The body as it came.
        self.body = body


def read_error_body(body: Any) -> ErrorReading:
    """The shapes of errors, by surface: fields, broken rules, sentences, problem details."""
    if not isinstance(body, dict):
        return ErrorReading(str(body), None, {}, [])
    inner = [body.get("validationError"), body.get("errors")]
    named: Dict[str, Any] = next((one for one in inner if isinstance(one, dict)), body)
    fields = {name: texts for name, texts in named.items() if _is_texts(texts) and name not in _OTHERS}
    sentences = [named.get("non_field_errors"), body.get("apiError"), body.get("detail"), body.get("en")]
    of_fields = " ".join(f"{name}: {' '.join(texts)}" for name, texts in fields.items())
    message = next((text for text in map(_text_of, sentences) if text is not None), of_fields)
    code, actions = body.get("code"), body.get("allowed_actions") or []
    return ErrorReading(
        message, code if isinstance(code, str) else None, fields, list(actions) if _is_texts(actions) else []
    )


def _text_of(value: Any) -> Optional[str]:
    if isinstance(value, str):
        return value
    return " ".join(value) if _is_texts(value) else None


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
