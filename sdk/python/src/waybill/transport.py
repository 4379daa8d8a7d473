"""Requests, retries and errors, with the standard library alone."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from email.message import Message
from typing import Any, List, Mapping, NamedTuple, NoReturn, Optional, Tuple

from .errors import WaybillError, read_error_body

# A server that asks for more patience than this gets an error instead.
_MAX_WAIT_SECONDS = 60


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Message
    body: bytes


def segment(value: object) -> str:
    """A value as one piece of a path."""
    return urllib.parse.quote(str(value), safe="")


class Transport:
    """Sends requests to one server, with the rights of one key."""

    def __init__(
        self, base_url: str, api_key: Optional[str] = None, *, max_retries: int = 3, timeout_seconds: float = 60
    ) -> None:
        """api_key: an API key, or an access token. timeout_seconds: how long the server may be silent."""
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._max_retries = max_retries
        self._timeout = timeout_seconds
        # Of the last answer: where the next page of a list is.
        self._last_headers: Message = Message()
        # No redirect is followed: the key would go with it.
        self._opener = urllib.request.build_opener(_NoRedirects)

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        content_type: str = "application/json",
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        takes_key: bool = True,
    ) -> Any:
        """Returns the body of the answer: JSON as Python has it, texts as str, files as bytes, nothing as None."""
        headers = {"Accept": "application/json, */*"}
        if self._api_key is not None:
            headers["Authorization"] = f"Bearer {self._api_key}"
        if if_match is not None:
            headers["If-Match"] = if_match
        if method == "POST" and takes_key:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        sent = None
        if body is not None:
            headers["Content-Type"] = content_type
            sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self._url(path, query), data=sent, headers=headers, method=method)
        answer = self._repeat(request, "Idempotency-Key" in headers)
        self._last_headers = answer.headers
        return _read(answer)

    def _url(self, path: str, query: Optional[Mapping[str, Any]]) -> str:
        pairs: List[Tuple[str, str]] = []
        for name, value in (query or {}).items():
            for one in value if isinstance(value, (list, tuple)) else [value]:
                if one is not None:
                    pairs.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
        return self._base_url + path + ("?" + urllib.parse.urlencode(pairs) if pairs else "")

    def _repeat(self, request: urllib.request.Request, has_key: bool) -> Answer:
        """Sends again what may be sent again.

        429: nothing was done, so anything is. 503, or no answer: it may have been done, so only what can be done twice
        is: reads, PUT, DELETE, and a POST with an Idempotency-Key.
        """
        method = request.get_method()
        is_repeatable = has_key if method == "POST" else method != "PATCH"
        for retries in range(self._max_retries + 1):
            is_last = retries == self._max_retries
            answer: Optional[Answer] = None
            try:
                answer = self._once(request)
            except (OSError, http.client.HTTPException) as error:
                if is_last or not is_repeatable:
                    _raise_no_answer(request, error)
            asked = None if answer is None else _retry_after(answer)
            wait = (0.5 * 2**retries if asked is None else asked) * (1 + random.random() / 2)
            if answer is not None:
                is_worth_it = answer.status == 429 or (answer.status == 503 and is_repeatable)
                if is_last or wait > _MAX_WAIT_SECONDS or not is_worth_it:
                    return answer
            time.sleep(wait)
        raise AssertionError("The last attempt returns or raises.")

    def _once(self, request: urllib.request.Request) -> Answer:
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return Answer(response.status, response.headers, response.read())
        except urllib.error.HTTPError as refusal:
            with refusal:
                return Answer(refusal.code, refusal.headers, refusal.read())


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _read(answer: Answer) -> Any:
    content_type = answer.headers.get("Content-Type") or ""
    body = _parse(content_type, answer.body)
    if 200 <= answer.status < 300:
        return body
    reading = read_error_body(body.decode("utf-8", "replace") if isinstance(body, bytes) else body)
    raise WaybillError(
        f"{reading.message or 'No reason was given.'} (HTTP {answer.status})",
        status=answer.status,
        code=reading.code,
        fields=reading.fields,
        allowed_actions=reading.allowed_actions,
        request_id=answer.headers.get("X-Request-Id"),
        retry_after_seconds=_retry_after(answer),
        body=body,
    )


def _parse(content_type: str, body: bytes) -> Any:
    if body == b"":
        return None
    if content_type.startswith(("application/json", "application/problem+json")):
        return json.loads(body)
    return body.decode() if content_type.startswith("text/plain") else body


def _retry_after(answer: Answer) -> Optional[int]:
    value = answer.headers.get("Retry-After") or ""
    return int(value) if value.isdigit() else None


def _raise_no_answer(request: urllib.request.Request, error: Exception) -> NoReturn:
    reason = getattr(error, "reason", None) or error
    raise WaybillError(f"{request.get_method()} {request.selector} got no answer: {reason}") from error
