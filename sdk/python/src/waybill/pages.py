"""Where the next page of a list is."""

from __future__ import annotations

import re
import urllib.parse
from email.message import Message
from typing import Any, Dict, Mapping, Optional


def next_query(query: Mapping[str, Any], page: Any, headers: Message) -> Optional[Dict[str, Any]]:
    """Said in the body, in Link, or, where addresses are too long for that, by the count. None: there is no other page."""
    if isinstance(page, dict):
        return _follow(query, page.get("next"))
    link = headers.get("Link")
    if link is not None:
        found = re.search(r'<([^>]*)>; rel="next"', link)
        return _follow(query, found and found.group(1))
    is_more = len(page) > 0 and headers.get("X-Total-Count") is not None
    return {**query, "page": int(query.get("page", 1)) + 1} if is_more else None


def _follow(query: Mapping[str, Any], url: Optional[str]) -> Optional[Dict[str, Any]]:
    if not url:
        return None
    found = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    place = "cursor" if "cursor" in found else "page"
    return {**{name: value for name, value in query.items() if name not in ("page", "cursor")}, place: found[place]}
