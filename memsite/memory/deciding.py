"""Whether a sentence decides something, or leaves it open: rules, no model, in English and Chinese.

A decision is one that was made. What is denied, doubted, supposed, planned, tried, merely suggested or taken back is
none; what has yet to be decided is open. In doubt a sentence is no decision.
"""

from __future__ import annotations

import re

from memsite.memory.query import fold

_OPEN = re.compile(
    r"\bopen question|\bstill open\b|\bopen\s*:|\bundecided\b|\bto be decided\b|\bTBD\b|\bto-?do\b"
    r"|\bblocked\b|\bunclear\b|(?:\bnot|n['’]t)\b[^.;!?]{0,80}\byet\b"
    r"|(?:\bnot|\bcannot|n['’]t) (?:\w+ ){0,2}(?:decided?|agreed?|chosen|settled?|sure|clear)\b"
    r"|\b(?:no|without an?|any) (?:\w+ )?(?:decision|agreement)\b"
    r"|\bdecision (?:\w+ )?(?:pending|open|postponed|deferred|due|missing)\b|\bwhether\b"
    r"|\bdecisions?\s*[:：]\s*(?:pending|open|postponed|deferred|due|missing|later|soon|tomorrow|to be|will be)\b"
    r"|\?(?:\s|$)|？|吗[。！.!]?$|未决|待定|尚未|还没|还未|待办|不确定|是否"
    r"|(?:没有?|未|无法|不能)[^，。；：！？]{0,4}(?:决定|选定|敲定|商定|确定|定下)|(?:决定|确定|定)不[了下]",
    re.IGNORECASE,
)
_PENDING = re.compile(
    r"\b(?:to|must|should|shall|will|would|could|may|might|let['’]s|let us|['’]ll)\s+(?:\w+\s+){0,3}?(?:decide"
    r"|be decided)\b"
    r"|\b(?:need|needs|have|has|must|should|let['’]s)\b(?:\s+\w+){0,3}?\s+(?:choose|pick|agree on|settle on)\b"
    r"|\b(?:before|once|when|until|till|unless|if|after)\b[^,.;!?]{0,40}?"
    r"\b(?:decides?|agrees?|(?:has|have|is|are) (?:\w+ ){0,2}(?:decided|agreed|chosen|settled))\b"
    r"|\bdecisions?\b[^.;!?]{0,60}?\b(?:will|shall|expected|due|tomorrow|soon|later)\b"
    r"|\b(?:a?wait|wait)(?:s|ed|ing)?\b[^.;!?]{0,60}?\bdeci(?:de|sion)"
    r"|^\W*(?:decide|choose)\b|\bdecided to (?:decide|choose|talk|discuss)\b"
    r"|(?:(?<!不)再(?![次三度])|(?<![主重])要|必须|应该|应当|(?:^|[在还先只仍须，。；、])等(?:待)?|(?<!等)待|由(?!于|此)"
    r"|(?<![开周例大晚早午])会(?![议上后中员])|(?<!决定)将|以后(?=再)|下周|下个?月|明[天年]|后天|改天|稍后|尽快|回头)"
    r"[^，。；：！？,;]{0,12}?(?:决定|同意|选定|敲定|商定|确定|定下)"
    r"|决定[^，。；：！？]{0,8}再(?:讨论|决定|商量|谈|议|说|看)|决定[^，。；！？]{0,12}?(?:什么|哪|谁|怎么|如何|几时|多少|何时)",
    re.IGNORECASE,
)
"""How a sentence speaks of a decision that is still to be made."""
_DECIDED = re.compile(
    r"(?:^\W*(?:[\w'’]+ ){0,2}|\b)decisions?\s*[:：]|^\W*(?:\w+ )?decision\s*(?:[,–—-]|$)"
    r"|\bdecisions?\s+(?:is|was|has been|to|made|taken|on|for|that)\b"
    r"|\b(?:made|took|taken|reached) (?:an?|the|our) (?:\w+ )?decision\b"
    r"|\bdecided\b|(?<!\bthe )(?<!['’]s )\bagreed\b(?! to disagree)|\bcho(?:se|sen)\b|\bsettled on\b"
    r"|\bpicked\b|\bopted for\b"
    r"|\b(?:will|shall|wo)(?:n['’]t| not| never) use\b"
    r"|决定\s*[:：]|(?<![的个项])决定(?![性权]|因素)|选定|选择了|选中|敲定|商定|定为|同意|不(?:采用|选用|使用)",
    re.IGNORECASE,
)
"""Words that say themselves that something was decided."""
_CHANGED = re.compile(
    r"\b(?:will|shall|let['’]s|going to) use\b|\bgo(?:ing)? with\b"
    r"|(?<!\bthe )(?<!\ba )(?<!\bthis )\b(?:move|switch|migrate|chang)(?:s|d|es|ed|ing)?\b.{0,60}?\b(?:to|over)\b"
    r"|\binstead\b|\bno longer (?:us|on|with|host|run|need)|\bshould be (?=(?-i:[A-Z0-9]))"
    r"|\b(?:removed|dropped|cancell?ed|abandoned|replaced)\b"
    r"|选用|采用|改为|改用|换成|换到|迁移到|取消|不再|不用\s*[A-Za-z][^，。；：！？,;]{0,20}了",
    re.IGNORECASE,
)
"""Words that a decision has, and a mere suggestion too."""
_CLAUSE = re.compile(r"[,;:.!?，；：。！？、]|\s[-–—]\s|\bbut\b|但是?|而是")
_CLAUSE_LENGTH = 200
_DENIED = re.compile(
    r"(?:\b(?:not|never|nobody|no one|none|neither|nor|cannot|without|refused to)\b|n['’]t\b)(?:\s+\w+){0,3}\s*$"
    r"|(?:没有?|未|并未|从未|无法|难以|拒绝|放弃|避免|不)[^，。；：！？]{0,4}$",
    re.IGNORECASE,
)
_HYPOTHETIC = re.compile(
    r"\b(?:if|unless|until (?:we|i|you|he|she|they|it)|(?-i:may)|might|could|would|maybe|perhaps|possibly)\b"
    r"|如果|要是|假如|除非|可能|也许|或许|会不会|要不要",
    re.IGNORECASE,
)
_UNMADE = re.compile(
    r"\b(?:doubt(?:s|ed)?|unlikely|almost|nearly|hardly|barely|scarcely|close to|far from|hop(?:e|es|ed|ing)"
    r"|wish(?:es|ed)?"
    r"|(?:tr(?:y|ies|ied|ying)|fail(?:s|ed|ing)?|plan(?:s|ned|ning)?|intend(?:s|ed)?|aim(?:s|ed)?|expect(?:s|ed)?"
    r"|need(?:s|ed)?|ha(?:ve|s|d)|about|supposed|unable|ready|how) to|must|ought to|(?:once|when|until|after"
    r"|as soon as)"
    r" (?:\w+ ){1,3}(?:has|have|is|are))(?:\s+(?!and\b|then\b)[\w'’.+#-]+){0,6}?\s*$"
    r"|(?:差一?点|几乎|险些|打算|计划|准备|拟|预计|有意|尝试|试图|试着|试过|未来|将来|目标是)[^，。；：！？]{0,8}$",
    re.IGNORECASE,
)
"""What stands before a thing that has not been done: planned, tried, doubted."""
_SUGGESTED = re.compile(
    r"\b(?:consider|suggest|propos|discuss|think|thought|imagin|recommend|advis|want|possib)\w*\b|\bshould\b"
    r"|(?<!going )(?<!decided )(?<!agreed )\bto\s+(?:\w+ly\s+)?$"
    r"|考虑|建议|提议|讨论|推荐|想|希望|应该?|应当|需要|必须|可以|能够|(?<!主)要|(?<![开周例大晚早午])会(?![议上后中员])|将"
    r"|明[天年]|后天|改天|下周|下个?月|稍后|以后再",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"(?:\b(?:readers?|visitors?|viewers?|guests?|testers?|audience|(?:an?|each|every|most|many|all"
    r"|some) users?|(?<!the )users"
    r"|participants|respondents)\b[^,;.]{0,30}|(?:读者|访客|观众|访问者|参与者|测试者|每个用户|用户们)[^，。；]{0,8})$",
    re.IGNORECASE,
)
"""Who chooses for himself alone."""
_IN_TRIAL = re.compile(
    r"\bin (?:the|a|an|our|this) (?:\w+ )?(?:demo|menu|settings?|survey|poll|quiz|game|test|example|trial|form"
    r"|dialog|list)\b"
    r"|在(?:演示|菜单|设置|问卷|示例|测试|表单)[^，。；]{0,4}[里中]",
    re.IGNORECASE,
)
_CHOSE = re.compile(r"picked|cho(?:se|sen)|选择了|选中|选定", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"\b(?:revers|revok|overturn|overrul|rescind|withdr[ae]w|retract|undo|undone|regret)\w*[^.;!?]{0,40}\bdecision"
    r"|\b(?:take|takes|took|taken)(?: \w+)? back\b|\bdecision\b[^.;!?]{0,40}?\b(?:revers|revok|overturn|overrul|rescind"
    r"|withdrawn|retract|undone|taken back|regret|wrong|bad|hard|difficult|tough|good|right|easy)"
    r"|(?:推翻|撤销|撤回|收回|否决|反悔|后悔)[^，。；]{0,10}决定|决定[^，。；]{0,6}(?:推翻|撤销|撤回|收回|否决|作废|失效)",
    re.IGNORECASE,
)
"""What is said about a decision, rather than decided."""
_IS_PLAN = re.compile(
    r"\W*(?:(?:plans?|ideas?|proposals?|options?|suggestions?|goals?|wish(?:es)?|next(?: steps?)?|tasks?"
    r"|计划|想法|提议|建议|选项|目标|愿望|下一步|任务)\s*[:：]|(?:should|shall|how|could|can)\b|等(?!于)|待)",
    re.IGNORECASE,
)
"""How a sentence begins that only plans or asks."""
_CALLED = re.compile(r"\bdecisions?\s*[:：]|\bdecided\b|决定\s*[:：]", re.IGNORECASE)

_LABEL = re.compile(
    r"(?P<label>[A-Z][A-Za-z -]{1,24}|[\u4e00-\u9fff]{2,8})[:：]\s*(?P<value>(?:none|no) ?\b.*|[^\s a-z].*)"
)
_MOST_LABEL = 2
_CHOICE_WORDS = """
host hosting provider platform server servers domain registrar deployment deploy cdn backup-tool storage database db
cache framework stack backend frontend library language runtime engine generator compiler cms editor ide tool
tooling builder bundler linter formatter model license licence theme template templates font fonts typeface colour
color colours colors palette logo-tool style design layout icons name naming slug comments comment search analytics
newsletter mail-tool payment payments shop auth authentication login format formats markup syntax protocol encoding
units currency branch workflow ci vcs system service vendor supplier operator carrier bank method algorithm
architecture dependency package manager shell os
"""
_CHOICE_ENDINGS = """
托管 主机 服务商 平台 服务器 域名 部署 存储 数据库 缓存 框架 技术栈 后端 前端 语言 引擎 生成器 编辑器 工具 许可证
字体 颜色 配色 样式 设计 布局 名称 评论 评论功能 搜索 统计 通讯 支付 登录 格式 协议 编码 货币 系统 服务 供应商
方法 算法 架构 模型
"""
_CHOICE_ENDS = tuple(_CHOICE_ENDINGS.split())
_CHOICES = frozenset(_CHOICE_WORDS.split())
"""Labels behind which stands what was chosen; behind any other a fact."""
_NO_CHOICE = re.compile(
    r"(?:not|maybe|perhaps|probably|possibly|either|i|we|you|he|she|it|they|this|that|there|users?|readers?"
    r"|see|still|only"
    r"|too|very|many|some|same|broken|down|up|slow|fast|works?|working|fail(?:s|ed|ing)?|done|ready|live"
    r"|finished|missing"
    r"|needs?|costs?|problems?|bad|good|ok|fine|fixed|updated|checked|discussed|pending|waiting|later|unknown"
    r"|undecided)\b"
    r"|\d[\d.,]*(?:\s|%|$)|[^.;!?。；]*(?:\bor\b|\bvs\b|\bversus\b|还是|或者?)|可能|也许|或许|没有|还没|大概|我|你|他|她|坏|慢|快"
    r"|正常|故障|等",
    re.IGNORECASE,
)
"""Values that are no name of a chosen thing, or more than one."""


def leaves_open(text: str) -> bool:
    """Whether a sentence asks, or says that something is undecided or blocked, whatever else it says."""
    return _OPEN.search(text) is not None


def is_pending(text: str) -> bool:
    """Whether a sentence speaks of a decision that is still to be made."""
    return _PENDING.search(text) is not None


def decides(text: str) -> bool:
    """Whether a sentence says what was decided, changed or chosen."""
    return _says_decided(text) or (not is_pending(text) and (_says_changed(text) or is_choice(text)))


def _says_decided(text: str) -> bool:
    """In so many words, and that neither denied, doubted, planned, taken back nor left to an `if`."""
    if _TAKEN_BACK.search(text) and not _CALLED.search(text):
        return False
    return any(
        not any(unmade.search(before) for unmade in (_DENIED, _HYPOTHETIC, _UNMADE))
        and not _is_pending_here(text, match)
        and not (_CHOSE.match(match[0]) and (_ELSEWHERE.search(before) or _IN_TRIAL.search(text)))
        for match in _DECIDED.finditer(text)
        for before in (_clause_before(text, match),)
    )


def _says_changed(text: str) -> bool:
    return not _IS_PLAN.match(text) and any(
        not any(unmade.search(before) for unmade in (_DENIED, _HYPOTHETIC, _UNMADE, _SUGGESTED))
        for match in _CHANGED.finditer(text)
        for before in (_clause_before(text, match),)
    )


def _is_pending_here(text: str, match: re.Match[str]) -> bool:
    """Whether the very words that would decide are those of a decision still to be made."""
    if _CALLED.fullmatch(match[0].strip()) and match[0].rstrip().endswith((":", "：")):
        return False
    return any(one.start() < match.end() and match.start() < one.end() for one in _PENDING.finditer(text))


def _clause_before(text: str, match: re.Match[str]) -> str:
    return _CLAUSE.split(text[max(match.start() - _CLAUSE_LENGTH, 0) : match.start()])[-1]


def is_choice(text: str) -> bool:
    """`Hosting: Vercel`, `Comments: Giscus, because …`: the name of a thing that one chooses, and which was chosen."""
    label = _LABEL.match(text)
    words = fold(label["label"]).split() if label else []
    if label is None or not 0 < len(words) <= _MOST_LABEL:
        return False
    return is_choice_word(words[-1]) and not _NO_CHOICE.match(label["value"])


def is_choice_word(word: str) -> bool:
    """Whether a folded word names what one chooses from: `hosting`, 框架."""
    return word in _CHOICES or word.endswith(_CHOICE_ENDS)
