"""The season: standings, head to head, how it went, ratings, and who pays whom.

All of it adds up from one :class:`~prefxl.season.ledger.Ledger` of exact whole numbers.
"""

from prefxl.season.bills import payment_differences, payments
from prefxl.season.course import cumulative, months, running_sums
from prefxl.season.pairs import games_together, head_to_head, meetings
from prefxl.season.ranking import standings
from prefxl.season.ratings import rating_history, ratings

__all__ = [
    "cumulative",
    "games_together",
    "head_to_head",
    "meetings",
    "months",
    "payment_differences",
    "payments",
    "rating_history",
    "ratings",
    "running_sums",
    "standings",
]
