"""The page of the benchmarks, its chart, and what is over its limit."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from html import escape

import growth
import parser_overhead
import statement_cost
import strategies
from growth import Growth
from parser_overhead import ParseTime
from statement_cost import StatementTime
from strategies import Ratio

AGAIN_LIMIT = 0.50


@dataclass(frozen=True)
class Results:
    """Everything that one run measured."""

    spark_version: str
    parsing: list[ParseTime]
    statements: list[StatementTime]
    strategies: list[Ratio]
    growth: Growth

    @property
    def spark_insert_ms(self) -> float:
        """Spark's own statement, beside which the others are read."""
        return next(time.ms for time in self.statements if time.statement == statement_cost.SPARK)


def passed_limits(results: Results) -> list[str]:
    """What took longer than it may, one line each."""
    over = [(f"{time.statement}, the look", time.look_ms, parser_overhead.LIMIT_MS, "ms") for time in results.parsing]
    over += [
        (f"one row, {time.statement}", time.ms - results.spark_insert_ms, statement_cost.LIMIT_MS, "ms")
        for time in results.statements
    ]
    over += [(found.work.name, found.ratio, found.work.limit, "") for found in results.strategies]
    over += [(f"{found.work.name}, again", found.again_ratio or 0, AGAIN_LIMIT, "") for found in results.strategies]
    over.append(("growth", results.growth.ratio, growth.LIMIT, ""))
    return [f"{name}: {value:.2f} {unit}, at most {limit} {unit}" for name, value, limit, unit in over if value > limit]


def markdown(results: Results) -> str:
    """The page."""
    return "\n".join(
        [
            "# Benchmarks",
            "",
            f"Written by `make bench`: Spark {results.spark_version}, {os.cpu_count()} cores, driver 6 GB, "
            f"Python {platform.python_version()}.",
            "Times are medians of one interleaved run; compare them with each other, not with another machine's.",
            "",
            *_strategies(results.strategies),
            *_growth(results.growth),
            *_statements(results),
            *_parsing(results.parsing),
        ]
    )


def _strategies(ratios: list[Ratio]) -> list[str]:
    return [
        f"## Strategies, beside the statement written by hand, on {strategies.ROWS:,} rows",
        "",
        "![ratio of each strategy to the statement written by hand](benchmarks.svg)",
        "",
        f"{strategies.ROUNDS} rounds after a first one that does not count. Each runs both on equal tables, compares",
        "every row of the results, and rolls both back. *Floor* is one read of the whole table. *Again* is the same",
        f"batch a second time, beside its first run: it makes no snapshot, and its limit is {AGAIN_LIMIT:.2f}.",
        "",
        "| work | by hand | Lamina, s | by hand, s | floor, s | ratio | at most | again |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
        *(
            f"| {r.work.name} | {r.work.compared_with} | {r.ours:.2f} | {r.by_hand:.2f} | {r.floor:.2f} "
            f"| **{r.ratio:.2f}** | {r.work.limit:.2f} | {'' if r.again_ratio is None else f'{r.again_ratio:.2f}'} |"
            for r in ratios
        ),
        "",
    ]


def _growth(result: Growth) -> list[str]:
    small, large = growth.SIZES
    return [
        "## A growing table",
        "",
        "scd2, merge-on-read, ordered by the key, the same 20,000 changed rows.",
        "",
        "| rows in the table | s | beside the smaller | at most |",
        "|---:|---:|---:|---:|",
        f"| {small:,} | {result.small:.2f} | | |",
        f"| {large:,} | {result.large:.2f} | **{result.ratio:.2f}** | {growth.LIMIT:.2f} |",
        "",
    ]


def _statements(results: Results) -> list[str]:
    return [
        "## A one-row statement",
        "",
        f"The limit is {statement_cost.LIMIT_MS} ms more than Spark's INSERT.",
        "",
        "| statement | ms | beside Spark's INSERT, ms |",
        "|---|---:|---:|",
        *(f"| {t.statement} | {t.ms:.0f} | {t.ms - results.spark_insert_ms:+.0f} |" for t in results.statements),
        "",
    ]


def _parsing(times: list[ParseTime]) -> list[str]:
    return [
        "## What an ordinary statement pays",
        "",
        "Parsing a statement without our clauses, with and without the extension; and the one thing it adds,",
        f"a look at the text, timed by itself. Its limit is {parser_overhead.LIMIT_MS} ms.",
        "",
        "| statement | characters | Spark, ms | with Lamina, ms | the look, ms |",
        "|---|---:|---:|---:|---:|",
        *(
            f"| {t.statement} | {t.characters:,} | {t.spark_ms:.3f} | {t.lamina_ms:.3f} | {t.look_ms:.3f} |"
            for t in times
        ),
        "",
    ]


def chart(ratios: list[Ratio]) -> str:
    """A bar for each work: our time as a part of that of the statement by hand, with a mark at the limit."""
    left, unit, row = 330, 380, 30
    height = row * len(ratios) + 50
    bars = []
    for number, found in enumerate(ratios):
        y = 40 + number * row
        limit = left + unit * found.work.limit
        bars += [
            f'<text x="{left - 10}" y="{y + 14}" text-anchor="end">{escape(found.work.name)}</text>',
            f'<rect x="{left}" y="{y}" width="{unit * found.ratio:.0f}" height="18" fill="#2a78b8"/>',
            f'<line x1="{limit:.0f}" y1="{y - 3}" x2="{limit:.0f}" y2="{y + 21}" stroke="#b33" stroke-width="2"/>',
            f'<text x="{left + unit * found.ratio + 6:.0f}" y="{y + 14}">{found.ratio:.2f}</text>',
        ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="800" height="{height}" font-family="sans-serif" '
            'font-size="13">',
            '<rect width="100%" height="100%" fill="white"/>',
            f'<text x="{left}" y="20">time ÷ that of the statement by hand (grey: 1.0; red: the limit)</text>',
            f'<line x1="{left + unit}" y1="30" x2="{left + unit}" y2="{height - 10}" stroke="#999"/>',
            *bars,
            "</svg>",
            "",
        ]
    )
