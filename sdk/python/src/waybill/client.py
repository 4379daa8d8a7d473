"""The client of a Waybill server."""

from __future__ import annotations

import copy
from typing import Any, Callable, Dict, Iterator, List, Mapping, TypeVar, TYPE_CHECKING, overload

from ._operations import Operations
from .pages import next_query

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    P = ParamSpec("P")
Row = TypeVar("Row")

# 10 is what a page has unless it is asked for more.
_ROWS_ON_A_PAGE = 100


class Waybill(Operations):
    """Every operation of the API as a method: `list_hooks`, `create_hook`, `raise_events` and so on.

    Errors are `WaybillError`. A POST carries an Idempotency-Key, and what may be sent again is, on 429, 503 and no answer.
    """

    @overload
    def each(self, operation: "Callable[P, List[Row]]", *args: "P.args", **query: "P.kwargs") -> Iterator[Row]: ...

    @overload
    def each(
        self, operation: "Callable[P, Mapping[str, object]]", *args: "P.args", **query: "P.kwargs"
    ) -> Iterator[Any]: ...

    def each(self, operation: Callable[..., Any], *args: Any, **query: Any) -> Iterator[Any]:
        """Every record of a list, page after page: `for hook in waybill.each(waybill.list_hooks, is_active=True)`."""
        return self._pages(operation.__name__, args, {"limit": _ROWS_ON_A_PAGE, **query})

    def _pages(self, operation: str, args: Any, query: Mapping[str, Any]) -> Iterator[Any]:
        # One of its own, whose last answer is that of this list whatever else is asked for meanwhile.
        pager = copy.copy(self)
        following: "Dict[str, Any] | None" = dict(query)
        while following is not None:
            answer = getattr(pager, operation)(*args, **following)
            yield from answer["results"] if isinstance(answer, dict) else answer
            following = next_query(following, answer, pager._last_headers)
