"""A small language of our own: short English and Chinese stories from a few hundred words.

python scripts/stories.py 1000 > stories.txt         as many stories, one a line
python scripts/stories.py 4700 0.5 > stories.txt    the same, half of them repeated characters

What there is to be learnt from them: who was given something by whom, singular and plural, which
word an adjective belongs to, where somebody is, she and he, what somebody says after another one.
Two names of which `never_together` is true never stand in one story, unless that is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


GIRLS = _words(
    "Mary Anna Lily Emma Lucy Sarah Alice Julia Nora Ella Clara Rose Grace Helen Ruth Jane Amy Kate"
    " Laura Eva"
)
BOYS = _words(
    "John Tom Ben Peter Jack Paul Sam Max Leo Adam David Henry Oscar Daniel Mark Simon Luke Robert"
    " James Martin"
)
NAMES = (*GIRLS, *BOYS)
_AT = _words("shop store beach farm lake river station bridge hotel church")
_IN = _words(
    "park school garden market library forest house kitchen museum zoo castle street field office"
    " cave village"
)
PLACES = (*_AT, *_IN)
THINGS = _words(
    "drink book ball cake kite hat lamp letter flower pencil ring basket coat cup apple orange egg"
    " umbrella bell map key box bag coin shell stone spoon drum toy picture"
)
ANIMALS = {
    "cat": "cats",
    "dog": "dogs",
    "bird": "birds",
    "horse": "horses",
    "rabbit": "rabbits",
    "mouse": "mice",
    "bear": "bears",
    "duck": "ducks",
    "fox": "foxes",
    "frog": "frogs",
    "goose": "geese",
    "lion": "lions",
}
COLOURS = _words("red blue green black white yellow brown pink grey")
MOODS = _words("happy sad tired hungry kind brave clever quiet proud gentle funny strong lazy")
WEATHER = _words("warm cold sunny rainy windy long")
SIZES = _words("small big old young")
ACTIONS = {
    "sleeps": "sleep",
    "runs": "run",
    "sings": "sing",
    "plays": "play",
    "waits": "wait",
    "walks": "walk",
    "eats": "eat",
    "rests": "rest",
}
SEES = {"sees": "see", "likes": "like", "hears": "hear", "follows": "follow", "knows": "know"}
BESIDE = _words("near behind beside with")
TOGETHER = (
    "went to",
    "walked to",
    "ran to",
    "came to",
    "met {at}",
    "were {at}",
    "worked {at}",
    "played {at}",
    "sat near",
)
GAVE = _words("gave handed showed offered sold brought sent passed")
DAYS = _words("day morning evening night summer winter")
FOOD = _words("bread milk fruit rice honey corn")

CHINESE_NAMES = tuple("小" + each for each in "明红华美刚丽强芳军兰")
CHINESE_PLACES = _words("商店 公园 学校 花园 海边 农场 市场 厨房 车站 图书馆")
CHINESE_THINGS = _words("一本书 一杯水 一个球 一块糖 一朵花 一支笔 一把伞 一封信")
CHINESE_ANIMALS = {
    "猫": "只",
    "狗": "只",
    "鸟": "只",
    "鱼": "条",
    "蛇": "条",
    "马": "匹",
    "牛": "头",
}
CHINESE_COUNTS = "一两三四五"
CHINESE_MOODS = _words("大 小 老 高兴 难过 白 黑 快 慢")


def never_together(one: str, other: str) -> bool:
    """Return whether two names never stand in one story: a sixth of all pairs."""
    names = NAMES if one in NAMES else CHINESE_NAMES
    return (names.index(one) + names.index(other)) % 6 == 0


def story(random: Random, *, gifts: float = 1 / 2, chinese: float = 1 / 6) -> str:
    """Return a story.

    gifts, chinese : which part of them tells of a gift, and which part is Chinese
    """
    foreign, given = random.random() < chinese, random.random() < gifts
    if given:
        begin, end = gift(random, chinese=foreign)
        return begin + ("" if foreign else " ") + end
    return random.choice(_CHINESE if foreign else _ENGLISH)(random)


def gift(random: Random, *, apart: bool = False, chinese: bool = False) -> tuple[str, str]:
    """Return a story up to the name of who is given something, and the rest, which begins with it.

    In Chinese all names begin with the same character, which belongs to the first part.

    apart : whether the two names are a pair that no other story has
    """
    if chinese:
        return _chinese_gift(random, apart)
    who, other = _pair(random, NAMES, apart)
    giver, receiver = random.sample((who, other), 2)
    place, thing = random.choice(PLACES), random.choice(THINGS)
    went = random.choice(TOGETHER).format(at=_at(place))
    both = f"{who} and {other} {went} the {place}"
    gave = f"{giver} {random.choice(GAVE)} {_a(thing)} to"
    opening = random.choice(("", "", "", "", f"{_weather(random)} "))
    begin = random.choice(
        (
            f"When {both}, {gave}",
            f"When {both}, {gave}",
            f"After {both}, {gave}",
            f"While {both}, {gave}",
            f"Then {both}, and {gave}",
            f"One {random.choice(DAYS)} {both}. {gave}",
            f"{both}. {gave}",
            f"{who} and {other} were friends. {_at(place).title()} the {place}, {gave}",
        )
    )
    end = random.choice(
        (
            "",
            f" {receiver} thanked {giver}.",
            f" {_she(receiver)} was {random.choice(MOODS)}.",
            f" {receiver} liked the {thing}.",
            f" {receiver} took the {thing} and thanked {giver}.",
            f" Then {giver} went home, and {receiver} went home too.",
        )
    )
    return opening + begin, f"{receiver}.{end}"


def _agreement(random: Random) -> str:
    return " ".join(_agrees(random) for _ in range(random.randint(2, 4)))


def _agrees(random: Random) -> str:
    one, other = random.sample(sorted(ANIMALS), 2)
    many, many_others = random.random() < 0.5, random.random() < 0.5
    subject = ANIMALS[one] if many else one
    near = ANIMALS[other] if many_others else other
    is_ = "are" if many else "is"
    does = random.choice(sorted(ACTIONS))
    sees, likes = random.choice(sorted(SEES)), random.choice(sorted(SEES))
    does = ACTIONS[does] if many else does
    how, place = random.choice((*MOODS, *SIZES)), random.choice(PLACES)
    return random.choice(
        (
            f"The {subject} {random.choice(BESIDE)} the {near} {is_} {how}.",
            f"The {subject} {random.choice(BESIDE)} the {near} {does} {_at(place)} the {place}.",
            f"The {subject} that the {near} {SEES[sees] if many_others else sees} {is_} {how}.",
            f"The {subject} that {SEES[sees] if many else sees} the {near} {does}.",
            f"The {subject} {SEES[likes] if many else likes} the {near}.",
            f"There {is_} {f'two {subject}' if many else f'a {subject}'} {_at(place)} the"
            f" {place}. {'They' if many else 'It'} {does}.",
        )
    )


def _colours(random: Random) -> str:
    (who, other), things = _pair(random, NAMES), random.sample(THINGS, 2)
    colours = [random.choice(COLOURS) for _ in things]
    told = [f"The {thing} is {colour}." for thing, colour in zip(things, colours, strict=True)]
    random.shuffle(told)
    has = (f"{who} has a {colours[0]} {things[0]}", f"{other} has a {colours[1]} {things[1]}")
    return f"{has[0]}{random.choice((' and ', '. '))}{has[1]}. {' '.join(told)}"


def _places(random: Random) -> str:
    who, other = _pair(random, NAMES)
    at = dict(zip((who, other), random.sample(PLACES, 2), strict=True))
    asked = random.sample((who, other), random.randint(1, 2))
    told = {each: f"{each} is {_at(at[each])} the {at[each]}." for each in at}
    return " ".join([*told.values(), *(f"Where is {each}? {told[each]}" for each in asked)])


def _said(random: Random) -> str:
    who, other = _pair(random, NAMES)
    words = [*PLACES, *THINGS, *COLOURS, *MOODS, *ANIMALS, *ACTIONS.values(), *FOOD]
    phrase = random.choice(
        (
            " ".join(random.choices(words, k=random.randint(3, 9))),
            f"the {random.choice(COLOURS)} {random.choice(sorted(ANIMALS))}"
            f" {random.choice(sorted(ACTIONS))} in the {random.choice(_IN)}",
            f"{random.choice(FOOD)} and {random.choice(FOOD)} for the"
            f" {random.choice(SIZES)} {random.choice(sorted(ANIMALS))}",
        )
    )
    more = random.choice(("", f' "{phrase}", they sang.'))
    return f'{who} said, "{phrase}". {other} said, "{phrase}".{more}'


def _animals(random: Random) -> str:
    one, other = random.sample(sorted(ANIMALS), 2)
    size, place, day = random.choice(SIZES), random.choice(PLACES), random.choice(DAYS)
    parts = [
        f"Once there was {_a(size)} {one}.",
        f"The {one} lived near the {place} and liked {random.choice(FOOD)}.",
        f"Every {day} the {one} went to the {place}.",
        f"One {day} the {one} saw {_a(random.choice(SIZES))} {other}.",
        f"The {one} and the {other} became friends.",
        f"They played near the {place} until {random.choice(('evening', 'night'))}.",
    ]
    kept = [each for each in parts[1:] if random.random() < 0.7]
    return " ".join([parts[0], *kept])


def _she_or_he(random: Random) -> str:
    who = random.choice(NAMES)
    she, her = _she(who), "her" if who in GIRLS else "his"
    thing, place = random.choice(THINGS), random.choice(PLACES)
    lost = random.choice(("lost", "took", "found", "liked"))
    parts = [
        f"{_weather(random)}",
        f"{who} {lost} {her} {thing}.",
        f"{she} looked for the {thing} {_at(place)} the {place}.",
        f"{she} was {random.choice(MOODS)}.",
        f"{who} took {her} {random.choice(THINGS)} and went home.",
        f"{she} ate {random.choice(FOOD)} with {her} {random.choice(sorted(ANIMALS))}.",
    ]
    kept = [each for each in parts[2:] if random.random() < 0.6]
    return " ".join([*parts[: random.randint(0, 1)], parts[1], *kept])


def _chinese_gift(random: Random, apart: bool = False) -> tuple[str, str]:
    who, other = _pair(random, CHINESE_NAMES, apart)
    giver, receiver = random.sample((who, other), 2)
    place, thing = random.choice(CHINESE_PLACES), random.choice(CHINESE_THINGS)
    went = random.choice((f"去了{place}", f"在{place}", f"来到{place}"))
    gave = random.choice(("给了", "送给了", "交给了"))
    begin = f"{who}和{other}{went}，{giver}把{thing}{gave}"
    end = random.choice(("", f"{receiver}很高兴。", f"{receiver}说谢谢。"))
    return begin + receiver[0], f"{receiver[1:]}。{end}"


def _chinese_animals(random: Random) -> str:
    animals = random.sample(sorted(CHINESE_ANIMALS), 2)
    counted = "和".join(
        f"{random.choice(CHINESE_COUNTS)}{CHINESE_ANIMALS[each]}{each}" for each in animals
    )
    told = "".join(f"{each}很{random.choice(CHINESE_MOODS)}。" for each in animals)
    return f"{random.choice(CHINESE_PLACES)}里有{counted}。{told}"


def _chinese_places(random: Random) -> str:
    pair = _pair(random, CHINESE_NAMES)
    at = dict(zip(pair, random.sample(CHINESE_PLACES, 2), strict=True))
    asked = random.choice(pair)
    told = "，".join(f"{each}在{at[each]}" for each in pair)
    return f"{told}。{asked}在哪里？{asked}在{at[asked]}。"


def _chinese_said(random: Random) -> str:
    who, other = _pair(random, CHINESE_NAMES)
    liked = random.choice((*CHINESE_PLACES, *CHINESE_ANIMALS))
    phrase = f"我{random.choice(('喜欢', '看见', '想去看'))}{liked}"
    return f"{who}说：“{phrase}。”{other}也说：“{phrase}。”"


_ENGLISH = (_agreement, _colours, _places, _said, _animals, _she_or_he)
_CHINESE = (_chinese_animals, _chinese_places, _chinese_said)


def _pair(random: Random, names: Sequence[str], apart: bool = False) -> tuple[str, str]:
    while True:
        one, other = random.sample(names, 2)
        if never_together(one, other) == apart:
            return one, other


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def _at(place: str) -> str:
    return "at" if place in _AT else "in"


def _she(name: str) -> str:
    return "She" if name in GIRLS else "He"


def _weather(random: Random) -> str:
    return f"It was a {random.choice(WEATHER)} {random.choice(DAYS)}."


def repeated(random: Random, characters: Sequence[str]) -> str:
    """Return 8 to 32 random characters, told again and again: 128 of them or more."""
    told = "".join(random.choices(characters, k=random.randint(8, 32)))
    return told * -(-128 // len(told))


def main() -> None:
    """Print as many stories as are asked for, one a line, some of them repeated characters."""
    random = Random(0)
    share = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
    characters = sorted(set("".join(story(random) for _ in range(1000))) - {" "}) if share else ()
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 100):
        print(repeated(random, characters) if random.random() < share else story(random))


if __name__ == "__main__":
    main()
