"""What sort of statement a line is: decided, done, open, a reason; denied and supposed is not decided."""

from __future__ import annotations

import pytest

from memsite.memory.cues import Sort, sort_of


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("决定：博客使用 Next.js。", Sort.DECISION),
        ("Hosting: Vercel.", Sort.DECISION),
        ("We agreed to meet on Mondays.", Sort.DECISION),
        ("评论功能取消，改用邮件。", Sort.DECISION),
        ("First post published: it works.", Sort.PROGRESS),
        ("网站已经上线。", Sort.PROGRESS),
        ("Reason: Ada knows React.", Sort.REASON),
        ("原因：大家都会。", Sort.REASON),
        ("Which framework?", Sort.OPEN),
        ("用什么框架还没决定。", Sort.OPEN),
        ("Goal: pages load fast.", Sort.FACT),
        ("橘猫体重五公斤。", Sort.FACT),
        ("We decided to use Hugo.", Sort.DECISION),
        ("We did not choose Jekyll.", Sort.FACT),
        ("We didn't choose Jekyll.", Sort.FACT),
        ("We have not decided on a theme.", Sort.OPEN),
        ("We haven't finally decided yet.", Sort.OPEN),
        ("We decided not to use trackers.", Sort.DECISION),
        ("We decided against Jekyll.", Sort.DECISION),
        ("We did not choose Jekyll, we chose Hugo instead.", Sort.DECISION),
        ("We will not use trackers.", Sort.DECISION),
        ("We won't use trackers.", Sort.DECISION),
        ("Giscus was not removed.", Sort.FACT),
        ("Nobody chose Giscus.", Sort.FACT),
        ("There is no decision on hosting.", Sort.OPEN),
        ("The decision is pending.", Sort.OPEN),
        ("We might switch to Hugo.", Sort.FACT),
        ("Grace suggested to move to Netlify.", Sort.FACT),
        ("Ada is considering switching to Hugo.", Sort.FACT),
        ("If we switch to Hugo, builds are faster.", Sort.FACT),
        ("It is unclear whether we use Hugo.", Sort.OPEN),
        ("We discussed it and decided to use Hugo.", Sort.DECISION),
        ("Blog hosting should be Vercel.", Sort.DECISION),
        ("Not Astro but Hugo was chosen in the end.", Sort.DECISION),
        ("We never agreed to that.", Sort.FACT),
        ("The move to Astro was not cancelled.", Sort.FACT),
        ("Which framework? Hugo, decided.", Sort.DECISION),
        ("Which framework? We decided on Hugo.", Sort.DECISION),
        ("Hosting: not decided.", Sort.OPEN),
        ("Hosting: maybe Vercel.", Sort.FACT),
        ("Weather: Rain all day.", Sort.FACT),
        ("Attendees: Ada, Grace.", Sort.FACT),
        ("First post published.", Sort.PROGRESS),
        ("Jekyll was not picked.", Sort.FACT),
        ("Ada refused to switch to Netlify.", Sort.FACT),
        ("Grace wants to switch to Netlify.", Sort.FACT),
        ("我们决定使用 Hugo。", Sort.DECISION),
        ("我们没有决定用哪个框架。", Sort.OPEN),
        ("主题还没有最终决定。", Sort.OPEN),
        ("还没决定。", Sort.OPEN),
        ("我们没有选择 Jekyll。", Sort.FACT),
        ("没有采用 Jekyll。", Sort.FACT),
        ("评论功能没有取消。", Sort.FACT),
        ("我们决定不采用 Jekyll。", Sort.DECISION),
        ("我们不采用 Jekyll。", Sort.DECISION),
        ("Grace 不同意。", Sort.FACT),
        ("Ada 考虑改用 Hugo。", Sort.FACT),
        ("Grace 建议换成 Netlify。", Sort.FACT),
        ("讨论后决定采用 Hugo。", Sort.DECISION),
        ("如果改用 Hugo，会更快。", Sort.FACT),
        ("是否采用 Hugo？", Sort.OPEN),
        ("可能改用 Hugo。", Sort.FACT),
        ("内容是决定性因素。", Sort.FACT),
        ("托管改为 Vercel。", Sort.DECISION),
        ("不再使用 Disqus。", Sort.DECISION),
        ("选定 Vercel。", Sort.DECISION),
        ("未能敲定主题。", Sort.OPEN),
        ("没有选择 Jekyll，而是选择了 Hugo。", Sort.DECISION),
        ("Ada 想换成 Netlify。", Sort.FACT),
        ("大家同意每周一开会。", Sort.DECISION),
        ("Decision: keep Vercel until May.", Sort.DECISION),
        ("We could go with Netlify.", Sort.FACT),
        ("Giscus was replaced by e-mail.", Sort.DECISION),
        ("The old decision log lists ten entries", Sort.FACT),
        ("Agreed: no comments.", Sort.DECISION),
        ("Without deciding anything we went home.", Sort.FACT),
        ("Ada decided that we would move to Astro.", Sort.DECISION),
        ("Until May we decided to stay on Vercel.", Sort.DECISION),
        ("Ada cannot decide between Hugo and Astro.", Sort.OPEN),
        ("It is no longer raining.", Sort.FACT),
        ("Comments: none.", Sort.DECISION),
        ("Search does not work on phones yet.", Sort.OPEN),
    ],
)
def test_sorts(text: str, sort: Sort) -> None:
    assert sort_of(text) is sort


UNDECIDED = """
We need to decide on hosting for the blog.
We must decide by Friday which host to use.
We still have to decide on the hosting.
We should decide soon on a theme.
Let's decide next week.
To decide: the host.
Need to choose a database.
We are going to decide tomorrow.
Let's talk tomorrow before we decide anything.
Once we decide, I will write it up.
When the board decides, we go on.
Once it has been decided, we move to Hugo.
Waiting for the client to decide about the logo.
The client will decide on Monday.
Decision on the theme will be made on Friday.
A decision is expected next week.
Decision: pending.
Decision: to be made on Friday.
周五再决定托管方案。
下周再决定用哪个主题。
需要决定用什么数据库。
我们要决定用什么数据库。
由客户决定。
客户会在周一决定。
等老板决定。
等客户决定颜色。
以后再选定主题。
还要商定价格。
必须尽快敲定主题。
明天决定。
决定不了用哪个。
他同意了吗
待老板同意后上线。
We decided to decide next week.
决定下周再讨论主题。
"""
UNMADE = """
I doubt we will use Ghost for the blog.
Alice proposes that we will use Hugo.
It is unlikely that we will use Ghost.
We almost chose Gatsby.
We nearly agreed on Ghost.
The decision was reversed.
We take back the decision on Redis.
It was a hard decision.
We agreed to disagree about the theme.
Bob's agreed budget is five coins.
The reader chooses a theme in the menu.
The user picked dark mode in the demo.
Readers picked the dark theme.
We plan to switch to Hugo.
Plan: move the blog to Ghost next month.
We tried to switch to Hugo.
We failed to migrate to Hugo.
We have to switch to Hugo.
It is hard to switch to Hugo.
Should we move to Hugo
Search should be fast.
差点选定了 Hugo。
打算改用 Hugo。
计划迁移到 Ghost。
我们要改用 Ghost。
应该改用 Ghost。
明天改用 Ghost。
等测试通过，改用 Ghost。
No one has decided anything.
A decision has to be made.
准备采用 Redis。
试图换成 Hugo。
放弃采用 Redis。
这是一个艰难的决定。
撤销了之前的决定。
决定被推翻了。
读者选择了深色主题。
Hosting: Vercel or Netlify.
托管：Vercel 还是 Netlify。
Hosting: We like Vercel.
Search: Broken on phones.
Bug: Comments vanish on reload.
Blocker: DNS.
Error: Connection refused.
Warning: Disk full.
Alice: I like Hugo.
Visitors: 300 a day.
Words: 500
Backup: Fridays.
TIL: Python has walrus.
故障：数据库连接断了。
张三：早上好。
"""
DECIDED = """
We decided on Hugo.
We have decided on Hugo.
It took long to decide, but we chose Hugo.
When Ada came we decided on Hugo.
It was agreed that the blog uses Hugo.
Final decision: Hugo.
A decision was made: Hugo.
The decision is to use Hugo.
The decision to move to Hugo was taken on Friday.
Decision: the blog will use Hugo.
Decision: we need to move to Hugo.
The user chose Hugo.
The blog moved from Vercel to Netlify, decided.
We will move to Hugo.
After the meeting we agreed on Hugo.
We had to choose, and picked Hugo.
Chosen: Hugo
Static generator: Hugo.
Blog hosting: Vercel
Licence: MIT
会议决定采用 Hugo。
讨论之后决定采用 Hugo。
由于太慢，决定改用 Hugo。
主要决定：采用 Hugo。
决定先不做搜索。
决定将评论改为邮件。
博客不用 Giscus 了。
评论系统：Utterances
"""


def lines_of(text: str) -> list[str]:
    return text.strip().split("\n")


@pytest.mark.parametrize("text", lines_of(UNDECIDED))
def test_what_is_still_to_be_decided_is_open(text: str) -> None:
    assert sort_of(text) is Sort.OPEN


@pytest.mark.parametrize("text", lines_of(UNMADE))
def test_what_is_doubted_planned_undone_or_merely_labelled_is_no_decision(text: str) -> None:
    assert sort_of(text) in {Sort.FACT, Sort.OPEN, Sort.PROGRESS}


@pytest.mark.parametrize("text", lines_of(DECIDED))
def test_what_was_decided_is_a_decision(text: str) -> None:
    assert sort_of(text) is Sort.DECISION
