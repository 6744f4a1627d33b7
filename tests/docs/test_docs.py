"""Runs the examples of the README and of every page in ``docs``; see `doc_examples`."""

from __future__ import annotations

from pathlib import Path

import doc_examples
import pytest

ROOT = Path(__file__).parents[2]
PAGES = [page for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if page.exists()]


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_examples_run_and_print_what_the_page_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reader = doc_examples.Reader(tmp_path)
    for example in doc_examples.examples(page.read_text(encoding="utf-8")):
        place = f"{page.name}, line {example.line}"
        try:
            pairs = reader.run(example)
        except Exception as error:
            raise AssertionError(f"{place}: the {example.language} example does not run") from error
        for expected, printed in pairs:
            assert doc_examples.agrees(expected, printed), f"{place}: expected\n{expected}\nbut it prints\n{printed}"


def test_an_output_that_differs_is_found() -> None:
    assert doc_examples.agrees("id\n--\n1\n", "id\n--\n1")
    assert doc_examples.agrees("status=created  snapshot_id=12\n...\nend", "status=created  snapshot_id=99\nx\ny\nend")
    assert not doc_examples.agrees("status=created", "status=changed")


def test_blocks_are_told_apart() -> None:
    text = (
        "<!-- setup\nSELECT 0;\n-->\n\n```sql\nSELECT 1\n```\n\n```text\n1\n```\n\nprose\n\n```text\nno output\n```\n"
        "<!-- not run: needs a cluster -->\n```python\nboom()\n```\n```console\n$ lamina --version\n```\n"
    )
    found = [(example.language, example.body, example.expected) for example in doc_examples.examples(text)]
    assert found == [
        ("sql", "SELECT 0;\n", None),
        ("sql", "SELECT 1\n", "1\n"),
        ("console", "$ lamina --version\n", None),
    ]
