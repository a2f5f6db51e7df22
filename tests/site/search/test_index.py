from __future__ import annotations

import json
import random
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsite.errors import RefusedError
from memsite.site.search import index, shards
from memsite.site.search.documents import SearchDocument
from memsite.site.search.index import FOLDER, assemble, build_search, script_path
from memsite.site.search.packing import ID_SPACE, hash_uri, number_uris, pack_id
from memsite.site.search.pieces import DocumentPiece, index_document
from memsite.site.search.tokenize import fold, tokens

SAMPLES = (
    "今天讨论了部署方案。",
    "プログラミング言語を学ぶ",
    "회의록을 작성했습니다",
    "The deployment plan was discussed.",
    "memsite gen3计划 — naïve Straße",
    "हिन्दी में नोट",
    "สวัสดีครับ",
    "ship it 🎉✅",
    "Привет, мир",
    "2025-03-25T10:00 v1.2.3",
)
ALPHABET = "abcdefg 的了部署方案かなカナ한글회의,。-\n"


def document(
    number: int, text: str, *, title: str | None = None, kind: str = "day", day: date | None = None
) -> SearchDocument:
    return SearchDocument(f"daily/{number}/", title or f"Day {number}", kind, day, text)


def random_documents(count: int, seed: int = 7) -> list[SearchDocument]:
    """Documents of the samples' characters, Zipf-like, so that branches, pools, heavy terms and summaries appear."""
    chance = random.Random(seed)
    words = [word for sample in SAMPLES for word in sample.split()]
    letters = [letter for sample in SAMPLES for letter in sample]
    words += ["".join(chance.choices(letters, k=chance.randint(1, 5))) for _ in range(400)]
    weights = [1 / (index + 2) for index in range(len(words))]
    return [
        document(
            number,
            " ".join(chance.choices(words, weights=weights, k=60)),
            title=" ".join(chance.choices(words, k=2)),
            kind=chance.choice(["topic", "day", "note"]),
            day=date(2020, 1, 1) + timedelta(days=number) if number % 3 else None,
        )
        for number in range(count)
    ]


def write_site(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def queries_of(each: SearchDocument) -> set[str]:
    """Every word, every character of a run, every pair of characters of a run: of title and text."""
    found: set[str] = set()
    for run, word in tokens(each.title) + tokens(each.text):
        found |= {word} if word else {run[at : at + size] for at in range(len(run)) for size in (1, 2)}
    return found


def matches(each: SearchDocument, query: str) -> bool:
    """What a query of one word or one run means, without any index."""
    (wanted_run, wanted_word), *rest = tokens(query)
    assert not rest
    return any(
        (wanted_run in run) if wanted_run else word.startswith(wanted_word)
        for run, word in tokens(each.title) + tokens(each.text)
        if bool(run) == bool(wanted_run)
    )


def check_every_query(ask: Any, site: Path, documents: list[SearchDocument], queries: list[str]) -> None:
    ids = {pack_id(number): uri for uri, number in number_uris({each.uri for each in documents}).items()}
    answers = ask(site, queries=queries)["answers"]
    for query, answer in zip(queries, answers, strict=True):
        expected = {each.uri for each in documents if matches(each, query)}
        assert not answer["partial"], query
        assert {ids[found] for found in answer["ids"]} == expected, query
        assert answer["count"] == len(expected)


def test_every_word_and_pair_of_every_document_is_found_with_true_counts(ask: Any, tmp_path: Path) -> None:
    documents = random_documents(70)
    site = write_site(tmp_path, build_search(documents))
    check_every_query(ask, site, documents, sorted({query for each in documents for query in queries_of(each)}))


def test_the_same_holds_where_branches_summaries_and_heavy_terms_appear(
    ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "LIMIT", 200)
    monkeypatch.setattr(shards, "SUMMARY_LIMIT", 600)
    documents = random_documents(60)
    files = build_search(documents)
    assert {name[7] for name in files} == {"d", "m", "p", "s", "t", "x"}
    queries = {query for each in documents for query in queries_of(each)}
    queries |= {query[:size] for query in queries for size in (1, 2, 3)}
    check_every_query(ask, write_site(tmp_path, files), documents, sorted(queries))


def test_a_quotation_of_common_words_is_found_where_it_stands(
    ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "LIMIT", 40)
    texts = ["one of the many", "the one of many", "of the of the", "the of", "of. the", "many of many the"] * 8
    documents = [document(number, text, title=f"Of the {number}") for number, text in enumerate(texts)]
    files = build_search(documents)
    assert {"search/x-6f66.js", "search/p-6f66-0.js", "search/p-746865-1.js"} <= set(files)
    answers = ask(write_site(tmp_path, files), queries=['"one of the"', '"of the many"', '"the of"', "of the"])[
        "answers"
    ]
    assert [answer["count"] for answer in answers] == [8, 8, 16, 48]


def test_a_common_word_does_not_load_where_it_stands(ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "LIMIT", 200)
    documents = [document(number, "the memory of " * 20 + f"n{number}") for number in range(40)]
    site = write_site(tmp_path, build_search(documents))
    (answer,) = ask(site, queries=["the memory of"], cold=True)["answers"]
    assert answer["count"] == 40
    assert [name for name, _ in answer["loaded"] if name.startswith("search/p-")] == []


@given(texts=st.lists(st.text(ALPHABET, max_size=40), min_size=1, max_size=6), data=st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_stretch_of_any_run_is_found_with_a_true_count(
    ask: Any, tmp_path_factory: pytest.TempPathFactory, texts: list[str], data: st.DataObject
) -> None:
    documents = [document(number, text) for number, text in enumerate(texts)]
    runs = sorted({run or word for text in texts for run, word in tokens(text)})
    queries = [run if run.isascii() else run[data.draw(st.integers(0, len(run) - 1)) :] for run in runs]
    site = write_site(tmp_path_factory.mktemp("site"), build_search(documents))
    check_every_query(ask, site, documents, queries)


def test_a_run_counts_only_where_it_stands_whole(ask: Any, tmp_path: Path) -> None:
    documents = [
        document(1, "部署方案"),
        document(2, "部署，方案"),
        document(3, "部署 署方 方案"),
        document(4, "今天讨论了部署方案。"),
        document(5, "方案部署"),
    ]
    site = write_site(tmp_path, build_search(documents))
    answers = ask(site, queries=["部署方案", "署方", "部署", "案", "部署方", "部署 方案", "今天讨论了部署方案"])[
        "answers"
    ]
    assert [answer["count"] for answer in answers] == [2, 3, 5, 5, 2, 5, 1]
    assert answers[-1]["best"] == ["daily/4/"]


def test_words_are_found_by_prefix_from_the_first_letter(ask: Any, tmp_path: Path) -> None:
    documents = [document(1, "deployment of memsite"), document(2, "deploy nothing"), document(3, "other")]
    site = write_site(tmp_path, build_search(documents))
    word = "deployment"
    answers = ask(site, queries=[word[:size] for size in range(1, len(word) + 1)])["answers"]
    # "d" begins "day" in every title too.
    assert [answer["count"] for answer in answers] == [3] + [2] * 5 + [1] * 4


def test_quotation_marks_ask_for_the_words_as_they_stand(ask: Any, tmp_path: Path) -> None:
    documents = [document(1, "the plan of record"), document(2, "record the new plan of"), document(3, "plan ofrecord")]
    site = write_site(tmp_path, build_search(documents))
    queries = ['"plan of record"', "plan of record", '"record plan"', '"plan of" record', '"plan']
    answers = ask(site, queries=queries)["answers"]
    assert [answer["count"] if not answer["partial"] else 0 for answer in answers] == [1, 2, 0, 2, 3]
    assert answers[1]["best"][0] == "daily/1/"


def test_what_no_page_has_whole_is_answered_partly_and_says_so(ask: Any, tmp_path: Path) -> None:
    documents = [document(1, "部署的方案"), document(2, "讨论方案"), document(3, "nothing here")]
    site = write_site(tmp_path, build_search(documents))
    run, words, nothing = ask(site, queries=["部署方案", "nothing plan", "zzz"])["answers"]
    assert run["partial"] and run["best"] == ["daily/1/"]
    assert words["partial"] and words["best"] == ["daily/3/"]
    assert nothing["count"] == 0


def test_titles_recency_and_kind_decide_between_equal_texts(ask: Any, tmp_path: Path) -> None:
    text = "we spoke about the blog and other things"
    documents = [
        document(1, text, day=date(2020, 1, 1)),
        document(2, text, day=date(2025, 1, 1)),
        document(3, text, title="Blog", day=date(2020, 1, 1)),
        document(4, text, title="Blog", kind="topic", day=date(2020, 1, 1)),
        document(5, text, kind="history-day", day=date(2025, 1, 1)),
        *[document(number, "filler words only") for number in range(10, 30)],
    ]
    answer = ask(write_site(tmp_path, build_search(documents)), queries=["blog"])["answers"][0]
    assert answer["best"] == [f"daily/{number}/" for number in (4, 3, 2, 1, 5)]
    assert answer["kinds"][0] == "topic"
    assert answer["days"][2] == date(2025, 1, 1).toordinal()


def test_another_name_counts_as_the_title_does(ask: Any, tmp_path: Path) -> None:
    documents = [
        SearchDocument("topics/blog/", "blog", "topic", None, "also 博客项目", ("博客项目", "the-blog")),
        *[document(number, "博客项目 的 博客项目 the-blog") for number in range(10)],
    ]
    answers = ask(write_site(tmp_path, build_search(documents)), queries=["博客项目", "the-blog", '"blog 博客"'])
    assert [answer["best"][0] for answer in answers["answers"][:2]] == ["topics/blog/"] * 2


def test_a_day_or_a_name_that_is_typed_whole_finds_the_page_of_that_title(ask: Any, tmp_path: Path) -> None:
    documents = [
        SearchDocument("daily/2025-03-19/", "2025-03-19", "day", date(2025, 3, 19), "short"),
        *[document(number, "on 2025-03-19 and 2025-03-19 again", kind="topic", title="x") for number in range(9)],
        document(11, "night trains " * 9, kind="topic", title="night trains and more"),
        document(12, "it rains", kind="note", title="Night trains"),
    ]  # fmt: skip
    answers = ask(write_site(tmp_path, build_search(documents)), queries=["2025-03-19", "night trains"])["answers"]
    assert [answer["best"][0] for answer in answers] == ["daily/2025-03-19/", "daily/12/"]


def test_what_is_superseded_stands_below_what_holds_now(ask: Any, tmp_path: Path) -> None:
    def generation(number: int, text: str, *, superseded: bool) -> SearchDocument:
        uri = f"topics/blog/gen{number}/"
        return SearchDocument(
            uri, f"blog, generation {number}", "generation", date(2025, 3, number), text, (), superseded
        )

    documents = [
        SearchDocument("topics/blog/", "blog", "topic", date(2025, 3, 3), "blog on Vercel and a long text " * 30),
        generation(1, "blog on Vercel", superseded=True),
        generation(2, "blog blog blog on Vercel, Vercel", superseded=True),
        generation(3, "blog on Vercel and more of it " * 10, superseded=False),
        *[document(number, "filler words only") for number in range(10, 30)],
    ]
    answers = ask(write_site(tmp_path, build_search(documents)), queries=["blog", "vercel", "blog on vercel"])[
        "answers"
    ]
    for answer in answers:
        assert set(answer["best"][:2]) == {"topics/blog/", "topics/blog/gen3/"}


def test_a_slip_in_a_date_does_not_make_all_else_old(ask: Any, tmp_path: Path) -> None:
    days = {1: date(2020, 1, 1), 2: date(2025, 1, 1), 3: date(2925, 1, 1)}
    documents = [document(number, "the same text", title="Same", day=day) for number, day in days.items()]
    (answer,) = ask(write_site(tmp_path, build_search(documents, date(2025, 1, 2))), queries=["same"])["answers"]
    old, recent = (answer["scores"][answer["best"].index(f"daily/{number}/")] for number in (1, 2))
    assert recent > 1.15 * old


def test_excerpts_show_and_mark_the_words(ask: Any, tmp_path: Path) -> None:
    text = "x " * 300 + "今天讨论了部署方案。" + " y" * 300
    pairs = [
        [text, "部署方案"],
        ["Straße and ﬁne ｶﾞｽ", "strasse fin ガス"],
        ["<b>bold</b>", "bold"],
        ["nothing", "else"],
    ]
    told = ask(tmp_path, excerpts=pairs, ranges=[["deployment deploys", "deploy"], ["e\u0301te\u0301", "été"]])
    assert told["excerpts"][0][1] == ["部署方案"]
    assert len(told["excerpts"][0][0]) < 200
    assert told["excerpts"][1][1] == ["Straße", "ﬁn", "ｶﾞｽ"]
    assert told["excerpts"][2] == ["<b>bold</b>", ["bold"]]
    assert told["excerpts"][3] == ["nothing", []]
    assert told["ranges"] == [["deploy", "deploy"], ["e\u0301te\u0301"]]


def test_the_order_of_the_documents_does_not_matter_and_kept_pieces_give_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    documents = random_documents(60)
    clean = build_search(documents)
    shuffled = random.Random(3).sample(documents, len(documents))
    assert build_search(shuffled) == clean
    kept = [json.loads(json.dumps(index_document(each).as_json())) for each in shuffled]
    monkeypatch.setattr(index, "TOGETHER", 7)
    assert assemble({each["uri"]: DocumentPiece.from_json(each) for each in kept}).files == clean


def test_who_makes_a_file_writes_it_and_all_names_are_known_before(tmp_path: Path) -> None:
    pieces = {piece.uri: piece for piece in map(index_document, random_documents(200))}
    begun: list[str] = []

    def write(path: str, script: bytes) -> None:
        (tmp_path / path).write_bytes(script)

    (tmp_path / FOLDER).mkdir()
    made = assemble(pieces, write=write, begin=begun.extend)
    written = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in (tmp_path / FOLDER).iterdir()}
    assert {**written, **made.files} == assemble(pieces).files
    assert list(made.files) == [script_path("manifest")]
    assert sorted(begun) == sorted(made.names) == sorted({*written, *made.files})


def test_every_file_is_one_call_with_plain_data() -> None:
    documents = [*random_documents(30), document(99, 'a"b\\c </script> \u2028 \udc80\0', title="\udcff")]
    for name, content in build_search(documents).items():
        call, data = content.decode().split(",", 1)
        assert call == f'memsiteSearch("{name.removeprefix("search/").removesuffix(".js")}"'
        json.loads(data.removesuffix(");\n"))


def test_without_documents_there_is_still_an_index(ask: Any, tmp_path: Path) -> None:
    site = write_site(tmp_path, build_search([]))
    assert ask(site, queries=["部署", "word", "…"])["answers"][0]["count"] == 0


def test_two_documents_at_one_address_are_refused() -> None:
    with pytest.raises(RefusedError, match="daily/1/: two pages"):
        build_search([document(1, "a"), document(1, "b")])


def test_uris_that_hash_alike_get_neighbouring_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memsite.site.search.packing.hash_uri", lambda uri: 5 if uri in "abc" else 6)
    assert number_uris({"c", "x", "a"}) == {"a": 5, "c": 6, "x": 7}


@given(st.text(max_size=20))
def test_a_uri_hashes_into_the_space_of_ids(uri: str) -> None:
    assert 0 <= hash_uri(uri) < ID_SPACE
    assert len(pack_id(hash_uri(uri))) == 4


def test_a_long_word_is_found_by_its_beginning(ask: Any, tmp_path: Path) -> None:
    word = "x" + "0123456789abcdef" * 40
    site = write_site(tmp_path, build_search([document(1, f"sum {word} end"), document(2, "other")]))
    answers = ask(site, queries=[word, word[:35], word[:5], fold(word)[1:]])["answers"]
    assert [answer["count"] for answer in answers] == [1, 1, 1, 0]
