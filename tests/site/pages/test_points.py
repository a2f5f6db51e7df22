from __future__ import annotations

from typing import Any

from memsite.site.pages.atlas import Atlas
from memsite.site.pages.differences import compare_texts
from memsite.site.pages.points import PointStory, point_stories


def generation(points: list[str]) -> str:
    return "# T - Generation 1 Consolidation\n\n## Key Points\n" + "".join(f"- {point}\n" for point in points)


def tell(make_source: Any, *generations: list[str]) -> tuple[PointStory, ...]:
    files = {
        f"memory/consolidated/blog-gen{number}-2025-03-{number:02d}.md": generation(points)
        for number, points in enumerate(generations, start=1)
    }
    atlas = Atlas(make_source(files))
    return point_stories(atlas, atlas.lineages[0], "key_points")


def stories(make_source: Any, *generations: list[str]) -> list[tuple[str, list[str]]]:
    return [(one.text.text, [step.state for step in one.steps]) for one in tell(make_source, *generations)]


def test_point_stories_tell_new_kept_changed_and_dropped(make_source: Any) -> None:
    found = stories(
        make_source,
        ["Hosted on Vercel", "Written in Next.js"],
        ["Written in Next.js, exported", "Comments are off"],
        ["Comments are off", "Written in Next.js, exported"],
        ["Comments are off"],
    )
    assert found == [
        ("Comments are off", ["", "new", "kept", "kept"]),
        ("Written in Next.js, exported", ["new", "changed", "kept", "dropped"]),
        ("Hosted on Vercel", ["new", "dropped", "", ""]),
    ]


def test_a_change_of_a_point_leads_to_what_its_generation_changed(make_source: Any) -> None:
    (story,) = tell(make_source, ["Written in Next.js"], ["Written in Next.js"], ["Written in Next.js, exported"], [])
    changes = [step.change.uri if step.change else None for step in story.steps]
    assert changes == [None, None, "topics/blog/compare/2..3/", "topics/blog/compare/3..4/"]


def test_point_stories_follow_each_of_two_equal_points(make_source: Any) -> None:
    assert stories(make_source, ["Same", "Same"], ["Same"]) == [
        ("Same", ["new", "kept"]),
        ("Same", ["new", "dropped"]),
    ]


def test_point_stories_follow_the_best_pairs_first(make_source: Any) -> None:
    found = stories(make_source, ["The server has 4 cores."], ["The server has 4 disks.", "The server has 8 cores."])
    assert found == [("The server has 4 disks.", ["", "new"]), ("The server has 8 cores.", ["new", "changed"])]
    turned = stories(make_source, ["The server has 4 disks.", "The server has 8 cores."], ["The server has 4 cores."])
    assert turned == [("The server has 4 cores.", ["new", "changed"]), ("The server has 4 disks.", ["new", "dropped"])]


def test_point_stories_follow_equally_good_pairs_in_their_order(make_source: Any) -> None:
    found = stories(
        make_source, ["Port 1 is open", "Port 2 is open"], ["Port 3 is open", "Port 4 is open"], ["Port 4 is open"]
    )
    assert found == [
        ("Port 4 is open", ["new", "changed", "kept"]),
        ("Port 3 is open", ["new", "changed", "dropped"]),
    ]


def test_point_stories_tell_a_change_where_the_comparison_does(make_source: Any) -> None:
    before = ["Hosting: a rented server in a cellar", "Drafts are kept in posts/drafts", "The feed has ten entries"]
    after = ["The feed has ten entries", "Hosting: Vercel", "Drafts are kept in posts, not in a folder of their own"]
    found = dict(stories(make_source, before, after))
    old, new = ("".join(f"- {point}\n" for point in points) for points in (before, after))
    compared = compare_texts(old, new)
    rows = [row for stretch in compared.stretches for row in stretch.rows]
    kinds = {"".join(word.text for word in row.after): row.kind for row in rows if row.after}
    told = {"insert": "new", "change": "changed", "equal": "kept", "moved": "kept"}
    assert {text: found[text][-1] for text in after} == {text: told[kind] for text, kind in kinds.items()}


def test_point_stories_wrapped_anew_or_spaced_are_kept(make_source: Any) -> None:
    assert stories(make_source, ["博客使用Hugo部署"], ["博客使用\n  Hugo部署"]) == [
        ("博客使用\nHugo部署", ["new", "kept"])
    ]


def test_point_stories_of_one_generation_are_not_told(make_source: Any) -> None:
    assert stories(make_source, ["Alone"]) == []


def test_point_stories_show_the_last_generations_only(make_source: Any) -> None:
    found = stories(make_source, ["Long gone"], *[["Stays"]] * 12)
    assert found == [("Stays", ["kept"] * 8)]
