"""How rows are shared out among pages."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from explorer.app.handout.paper import Row, paged

HEIGHT = 100
LINE = Row(5, lambda _painter, _x, _y: None)


def row(height: int, leads: bool = False) -> Row:
    return Row(height, lambda _painter, _x, _y: None, leads)


blocks_of_rows = st.lists(
    st.lists(st.builds(row, st.integers(1, 40), st.booleans()), min_size=1, max_size=6), max_size=8
)


def heights(page: list[tuple[float, Row]]) -> list[tuple[float, float]]:
    return [(y, each.height) for y, each in page]


def test_blocks_stand_below_each_other_with_a_row_between() -> None:
    [page] = paged([[row(20)], [row(30), row(10)]], HEIGHT, LINE)
    assert heights(page) == [(0, 20), (20, 5), (25, 30), (55, 10)]


def test_a_block_that_fits_on_a_page_is_never_torn_and_nothing_leads_it_there() -> None:
    first, second = paged([[row(60)], [row(30), row(30)]], HEIGHT, LINE)
    assert heights(first) == [(0, 60)]
    assert heights(second) == [(0, 30), (30, 30)]


def test_a_block_higher_than_a_page_is_torn_but_not_below_its_heading() -> None:
    first, second = paged([[row(60), row(20, leads=True), row(30)]], HEIGHT, LINE)
    assert heights(first) == [(0, 60)]
    assert heights(second) == [(0, 20), (20, 30)]


@given(blocks_of_rows)
def test_every_row_is_on_a_page_in_its_order_and_within_it(blocks: list[list[Row]]) -> None:
    pages = paged(blocks, HEIGHT, LINE)
    rows = [each for page in pages for _y, each in page if each is not LINE]
    assert [id(each) for each in rows] == [id(each) for block in blocks for each in block]
    for page in pages:
        assert all(y + each.height <= below + 1e-9 for (y, each), (below, _row) in pairwise(page))
        if page and not (len(page) == 1 or any(each.leads for _y, each in page)):
            y, last = page[-1]
            assert y + last.height <= HEIGHT
    for page in pages[:-1]:
        assert page
        assert page[-1][1] is not LINE
