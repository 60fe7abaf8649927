"""The words of headings, as one table of data: Russian, English, transliterated, short.

All are folded as :func:`prefxl.sheets.headers.words_of` does: case, ё, full stops, colons and
underscores do not matter, and ``№`` is ``no``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _words(text: str) -> tuple[str, ...]:
    return tuple(" ".join(word.split()) for word in text.split("|"))


#: Role to the words that stand for it, whole heading.
ALIASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "game": _words(
            """
            игра | no игры | номер игры | игра no | номер | no | no п/п | no п п | п/п | пп | # | н | n | id | id
            игры | игра id | партия | no партии | номер партии | партия no | пулька | no пульки | номер пульки |
            пулька no | код игры | код | роспись | протокол | game | game id | gameid | game no | game number | game
            # | no of game | match | igra | no igry | nomer | nomer igry | partiya | pulka
            """
        ),
        "date": _words(
            """
            дата | дата игры | дата партии | дата пульки | день | день игры | когда | число | date | game date |
            date of game | played | played on | day | when | data | data igry | den
            """
        ),
        "player": _words(
            """
            игрок | игроки | участник | участники | имя | имя игрока | имена | фамилия | фио | ф и о | кто | игрок
            имя | имя участника | фамилия имя | ник | player | players | name | player name | playername | who |
            nick | igrok | igroki | uchastnik | imya | familiya | fio
            """
        ),
        "pulya": _words(
            """
            пуля | пули | пулю | в пулю | в пуле | очки пули | очки в пуле | пуля очки | пуля очков | пульки | п |
            pulya | pulia | puli | pulja | pul | pool | bullet | bullets | pool points | p
            """
        ),
        "gora": _words(
            """
            гора | горы | гору | в гору | на горе | в горе | очки горы | гора очки | гора очков | г | gora | gory |
            goru | hill | mountain | dump | heap | penalty | g
            """
        ),
        "whists": _words(
            """
            висты | вист | вистов | вистах | висты написаны | написал вистов | написал вистов на | написал висты |
            написал | написано | записано | записал | вписал | пишет | написала | записала | в | whists | whist |
            whists written | висты на | вист на | whists on | whist on | в на | w on |
            visty na | visty | vist | vistov | wists | w | v | b
            """
        ),
        "convention": _words(
            """
            конвенция | правила | соглашение | convention | rules | house rules | konvenciya | konvenciia |
            konventsiya | konventsiia | pravila
            """
        ),
        "rounding": _words(
            """
            округление | округлять | rounding | round off | okruglenie
            """
        ),
        "corrected": _words(
            """
            исправлен | исправляемый | исправить | исправляемый игрок | кого исправить | кому исправить | кто
            исправлен | поправка кому | corrected | corrected player | correct | ispravlen
            """
        ),
        "stake": _words(
            """
            ставка | ставка за вист | цена виста | стоимость виста | вист стоит | stake | stake per whist | whist
            price | price per whist | stavka | cena vista | tsena vista
            """
        ),
        "target": _words(
            """
            цель | договорная пуля | условленная пуля | пуля до | до скольки | играли до | игра до | общая пуля |
            target | pulya target | target pulya | play to | agreed pulya | cel | tsel
            """
        ),
        "seat": _words(
            """
            seat | seat no | место за столом | no места | seat number | кресло
            """
        ),
    }
)

#: Headings that may number the games, or only the rows, or the players of one game.
COUNTERS = _words("no | n | # | н | no п/п | no п п | п/п | пп | номер | id | код")

#: Words before a seat's number: ``Пуля игрока 1``, ``pulya of player 1``.
SEAT_WORDS = _words(
    """
    игрока | игрок | игроку | участника | player | of player | igroka | igrok | место | seat | no | p
    """
)

#: What stands between a writer and the one written on.
ON_WORDS = _words(
    """
    на | on | to | against | vs | na | → | -> | => | ⇒ | ➝ | ➔ | > | —> | –>
    """
)

#: What says that a column is what others wrote, not what this player wrote.
FROM_WORDS = _words(
    """
    от | from | by | ot | ← | <-
    """
)

#: Units in headings that say nothing more: ``Пуля (очки)``.
UNIT_WORDS = _words(
    """
    очки | очков | очк | очках | пунктах | points | pts | вистов | вистах | whists | шт | горы | пули | итого | total
    """
)

#: The first words of a row that sums up others.
TOTAL_WORDS = _words(
    """
    итого | итог | итоги | всего | сумма | суммы | среднее | средняя | средние | подытог | промежуточный итог |
    промежуточные итоги | в сумме | в среднем | баланс | контроль | проверка | общий итог | сумма по | за месяц | за
    год | за сезон | total | totals | subtotal | subtotals | sub-total | sum | sums | grand total | average |
    averages | mean | itogo | vsego | summa | itog | check | σ | ∑
    """
)

#: Words a whists column may be followed by without being somebody's name.
NOT_NAMES = _words(
    """
    итого | итог | всего | сальдо | сумма | баланс | total | sum | saldo | balance | net | результат | result |
    деньги | money | комментарий | примечание | comment | note | notes | remarks | проверка | check | стол | table |
    round | раунд | тур | место | place | город | клуб | club | дата | date | игра | game
    """
)

#: The first words of a remark in the players' column.
REMARK_WORDS = _words(
    """
    прим | примечание | примечания | примеч | комментарий | заметка | заметки | замечание | внимание | примечанье |
    записывал | записывала | записал | записала | писал | писала | считал | считала | вел | вела | ведущий | судья |
    судил | играли | доиграли | начали | закончили | перерыв | note | notes | nb | n b | ps | p s | remark | remarks |
    comment | comments | scorer | prim | primechanie | пс | без | до | после | начало | конец | спасибо | дежурный |
    дежурная | хозяин | хозяйка | секретарь | гости | ужин | обед | чай | пауза | break | pause | dinner | host
    """
)

#: Prepositions a remark begins with: «У Лёши», «На Даче».
PREPOSITIONS = frozenset(
    _words("у | на | по | при | за | из | от | со | во | про | для | около | вместо | at | by | in")
)

#: Names that end like verbs in the past tense.
NAMES_LIKE_VERBS = frozenset(
    _words(
        """
        павел | михаил | даниил | самуил | гавриил | рафаил | измаил | исмаил | кирил | эмил | марсел | даниел |
        мануил | шамил | камил | рамил | равил | наил | джамал | джалил | халил | адил | даниял | асхаил | марсела |
        даниела | адела | микаела | мишел | мишела | рашел | камила | шамила | нила | данила | вавила | гаврила |
        никила | мила | людмила | ярмила | неонила | акила | томила | лейла | шейла | гаврило | михайло | данило |
        кирило | вавило | али | вали | натали | эмили | розали | амели | офели | лили | мили | нели | козел | орел |
        дятел | шакал | могила | адал | кабала | гала | лала | бела | дали | калила
        """
    )
)

#: Months, each number's names together: full, declined, short; Russian, English.
MONTH_NAMES: tuple[tuple[str, ...], ...] = (
    _words("январь | января | янв | january | jan"),
    _words("февраль | февраля | фев | февр | february | feb"),
    _words("март | марта | мар | march | mar"),
    _words("апрель | апреля | апр | april | apr"),
    _words("май | мая | may"),
    _words("июнь | июня | июн | june | jun"),
    _words("июль | июля | июл | july | jul"),
    _words("август | августа | авг | august | aug"),
    _words("сентябрь | сентября | сен | сент | september | sep | sept"),
    _words("октябрь | октября | окт | october | oct"),
    _words("ноябрь | ноября | ноя | нояб | november | nov"),
    _words("декабрь | декабря | дек | december | dec"),
)

#: Every name of a month to its number.
MONTHS: Mapping[str, int] = MappingProxyType(
    {name: number for number, names in enumerate(MONTH_NAMES, 1) for name in names}
)
