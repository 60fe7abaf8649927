"""Every word of the report sheets, in English and in Russian: one table of data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: The report sheets in the order they stand in; the key is how the code calls them.
SHEETS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "games": ("Games", "Игры"),
        "settlement": ("Settlement", "Расчёт"),
        "payments": ("Payments", "Платежи"),
        "standings": ("Standings", "Таблица"),
        "head_to_head": ("Head to head", "Личные встречи"),
        "season": ("Season", "Ход сезона"),
        "findings": ("Findings", "Замечания"),
        "rules": ("Rules", "Правила"),
    }
)

#: Headings of columns, by the name of the column in our frames.
HEADINGS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "game": ("Game", "Игра"),
        "date": ("Date", "Дата"),
        "seat": ("Seat", "Место"),
        "player": ("Player", "Игрок"),
        "pulya": ("Pulya", "Пуля"),
        "gora": ("Gora", "Гора"),
        "whists": ("Whists", "Висты"),
        "adjusted_gora": ("Gora, equal pulyas", "Гора при равных пулях"),
        "amnestied_gora": ("Amnestied gora", "Гора после амнистии"),
        "debt": ("Debt", "Долг с горы"),
        "final_gora": ("Final gora", "Конечная гора"),
        "saldo": ("Saldo", "Сальдо вистов"),
        "correction": ("Correction", "Поправка"),
        "result": ("Result", "Итог"),
        "result_exact": ("Result, exact", "Итог точно"),
        "money": ("Money", "Деньги"),
        "check": ("Check", "Проверка"),
        "convention": ("Convention", "Конвенция"),
        "rounding": ("Rounding", "Округление"),
        "corrected": ("Corrected", "Исправлен"),
        "stake": ("Stake", "Ставка"),
        "target": ("Target", "Цель"),
        "section": ("For", "За что"),
        "payer": ("Who pays", "Кто платит"),
        "payee": ("To whom", "Кому"),
        "amount": ("Amount", "Сумма"),
        "paid": ("Paid", "Оплачено"),
        "remark": ("Remark", "Примечание"),
        "games": ("Games", "Игр"),
        "rank": ("Rank", "Место"),
        "won": ("Won", "В плюсе"),
        "lost": ("Lost", "В минусе"),
        "sum": ("Sum", "Сумма"),
        "average": ("Average", "Среднее"),
        "best": ("Best", "Лучший"),
        "worst": ("Worst", "Худший"),
        "won_share": ("Share won", "Доля в плюсе"),
        "form": ("Form", "Форма"),
        "total": ("Total", "Всего"),
        "severity": ("Severity", "Важность"),
        "where": ("Where", "Где"),
        "file": ("File", "Файл"),
        "sheet": ("Sheet", "Лист"),
        "cell": ("Cell", "Ячейка"),
        "found": ("Found", "Найдено"),
        "expected": ("Expected", "Ожидалось"),
        "message": ("What it is", "В чём дело"),
        "reply": ("Your remark", "Ваша пометка"),
    }
)

#: Everything else that is said on the sheets.
PHRASES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "error": ("error", "ошибка"),
        "warning": ("warning", "внимание"),
        "note": ("note", "заметка"),
        "season": ("season", "сезон"),
        "pairwise": ("Pair by pair: who owes whom", "Попарно: кто кому должен"),
        "fewest": ("Fewest transfers", "Меньше всего переводов"),
        "per_date": ("Day by day", "По дням"),
        "undated": ("no date", "без даты"),
        "per_game": ("Game by game", "По играм"),
        "in_whists": ("in whists, no stake is given", "в вистах: ставка не указана"),
        "in_money": ("in money, {stake} a whist", "деньгами, {stake} за вист"),
        "partly_whists": ("games without a stake in whists", "игры без ставки — в вистах"),
        "not_proved": (
            "so many players that the smallest number of transfers is not proved",
            "игроков так много, что наименьшее число переводов не доказано",
        ),
        "nobody_owes": ("Nobody owes anything.", "Никто никому не должен."),
        "tick": (
            "Tick what is paid in the column “Paid”: ticks and remarks survive the next run.",
            "Отмечайте оплаченное в столбце «Оплачено»: отметки и примечания сохранятся при следующем расчёте.",
        ),
        "no_findings": ("Nothing was found: every cell was read.", "Замечаний нет: прочитана каждая ячейка."),
        "counts": ("Games: {games} · players: {players}", "Игр: {games} · игроков: {players}"),
        "sums": ("Sum of results, whists", "Сумма итогов, висты"),
        "cumulative": ("Results added up, whists", "Итоги нарастающим итогом, висты"),
        "head_hint": (
            "A row is what its player has won (+) or lost (−) from the others, whists.",
            "Строка — сколько игрок выиграл (+) или проиграл (−) у остальных, висты.",
        ),
        "head_exact": (
            "Pairs stay exact: a total may differ from the standings by the rounding.",
            "Взаимные итоги точны: сумма может отличаться от таблицы на округление.",
        ),
        "rules_title": ("How it was settled", "Как считали"),
        "written_by": ("Settled by", "Рассчитано программой"),
        "when": ("When", "Когда"),
        "files": ("From", "Из чего"),
        "house_rules": ("House rules", "Правила стола"),
        "games_count": ("Games settled", "Рассчитано игр"),
        "skipped": ("Games not settled", "Не рассчитано игр"),
        "unread": ("Tables and files not read at all", "Не прочитано таблиц и файлов"),
        "dates": ("Dates", "Даты"),
        "divisor": ("Gora is divided by", "Гора делится на"),
        "below": ("A pulya point below the target", "Очко пули ниже цели"),
        "above": ("A pulya point above the target", "Очко пули выше цели"),
        "target_is": ("Pulyas are made equal to", "Пули приводятся к"),
        "worth": ("A gora point is worth", "Очко горы стоит"),
        "adds": ("adds {points} to the gora", "плюс {points} к горе"),
        "takes": ("takes {points} off the gora", "минус {points} с горы"),
        "whists_each": ("{count} whists", "вистов: {count}"),
        "players": ("the number of players", "число участников"),
        "others": ("the number of opponents", "число соперников"),
        "one": ("nothing", "ничего (целиком)"),
        "mean": ("their mean", "средней"),
        "largest": ("the largest", "наибольшей"),
        "agreed": ("{points}, as agreed", "{points}, по уговору"),
        "source": ("Source of the rules", "Источник правил"),
        "no_stake": ("none: no money is counted", "нет: деньги не считаются"),
        "per_whist": ("{stake} a whist", "{stake} за вист"),
        "for_games": ("games: {count}", "игр: {count}"),
        "about": ("About this workbook", "Об этой книге"),
        "notes_limited": (
            "Notes with the derivation stand on the first {count} games; the sheet “{sheet}” has every step of all.",
            "Примечания с выводом — у первых игр ({count}); на листе «{sheet}» — все шаги всех игр.",
        ),
        "notes": (
            "The whole derivation of a result is in the note on its cell.",
            "Весь вывод итога — в примечании к его ячейке.",
        ),
        "continued": (
            "“{sheet}” has more rows than a sheet holds: it goes on in {others}.",
            "«{sheet}» не помещается на одном листе: продолжение — {others}.",
        ),
        "fraction": (
            "Fractions are kept exactly; cells show two decimals, “{column}” the exact number.",
            "Дроби хранятся точно; в ячейках два знака, точное число — в столбце «{column}».",
        ),
        "sum_zero": (
            "The column “{check}” is the sum of a game's results: ✓ means 0.",
            "«{check}» — сумма итогов игры: ✓ значит 0.",
        ),
        "lost_ticks": (
            "Written by you on our sheets, and fitting no row any more (a line deleted here does not come back)",
            "Вписанное вами на наши листы, чему больше нет места (удалённая здесь строка больше не появится)",
        ),
        "page": ("Page &P of &N", "Стр. &P из &N"),
        "shown_most": (
            "of {all} players the {count} with the most games",
            "из {all} игроков — {count}, сыгравших больше всех",
        ),
        "thinned": ("{count} rows for {all} games", "строк {count} на {all} игр"),
        "shown_first": ("the first {count} of {all}", "первые {count} из {all}"),
        "plan_block": (
            "{sheet}: {first}{top}:{last}{bottom} — {headings}; games: {games}",
            "{sheet}: {first}{top}:{last}{bottom} — {headings}; игр: {games}",
        ),
        "plan_no_room": (
            "{sheet}: no free columns beside the table of row {row}; its results are on the report sheets only",
            "{sheet}: рядом с таблицей в строке {row} нет свободных столбцов; её итоги — только на листах отчёта",
        ),
        "plan_kept": (
            "{sheet}!{cell}: you typed “{present}” over a result; it stays, and {wanted} is not written there",
            "{sheet}!{cell}: поверх итога вписано «{present}»; оставлено, а {wanted} не записано",
        ),
        "plan_read": (
            "{sheet}: your formulas read the result columns {first}–{last}, so their values change: {cells}",
            "{sheet}: ваши формулы читают и столбцы итогов {first}–{last}, их значения изменятся: {cells}",
        ),
        "moved": ("recalculate", "пересчитать"),
        "moved_note": (
            "Results stand beside the table and do not move when its rows are sorted. Should rows or scores be other "
            "ones than were settled, “recalculate” stands here: run prefxl again.",
            "Итоги стоят рядом с таблицей и при сортировке её строк не переезжают. Если в строке уже не та игра или "
            "не те записи, здесь появится «пересчитать»: запустите prefxl ещё раз.",
        ),
        "plan_apart": (
            "{sheets}: rows of a table or filter are sorted without the results beside them; the check cells then say "
            "“{word}”: settle the workbook again",
            "{sheets}: при сортировке таблицы или фильтра итоги рядом не переезжают; «Проверка» тогда покажет "
            "«{word}»: рассчитайте книгу ещё раз",
        ),
        "plan_mark": ("{sheet}!{cell}: {text}", "{sheet}!{cell}: {text}"),
        "plan_fixed": (
            "results that stay numbers, for no formula gives them: games {games}",
            "итоги, оставшиеся числами, — формулой их не получить: игры {games}",
        ),
        "payments_cut": (
            "{list}: only the first {count} of {all} are shown.",
            "{list}: показаны первые {count} из {all}.",
        ),
        "own_left_out": (
            "So many rows that your own columns are not repeated beside the steps.",
            "Строк так много, что ваши собственные столбцы рядом с шагами не повторены.",
        ),
        "reading": ("How to read it", "Как это читать"),
    }
)

#: What each rounding does, in a sentence.
ROUNDING_SENTENCES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "exact": ("nothing is rounded, fractions stay", "ничего не округляется, дроби остаются"),
        "debts": ("each debt to a whole whist, halves up", "каждый долг — до целого виста, половины вверх"),
        "truncate": (
            "each final gora toward zero; results may not sum to zero",
            "конечная гора — отбрасыванием дроби; сумма итогов может быть не 0",
        ),
        "divisible": (
            "one player's gora is made to divide, three whists a player make up for it",
            "гора одного игрока подгоняется под деление, по три виста возмещают",
        ),
        "divisible-debts": (
            "every gora that does not divide is made to, three whists a player make up for it",
            "каждая неделящаяся гора подгоняется, по три виста возмещают",
        ),
        "balanced": (
            "results to whole whists as near as a zero sum allows",
            "итоги — до целых вистов, насколько позволяет нулевая сумма",
        ),
    }
)


#: Sources of the conventions in Russian; English ones are the conventions' own.
SOURCES_RU: Mapping[str, str] = MappingProxyType(
    {
        "rozaliev": "калькулятор «Пуля»: «ленинградка» по книге Юрия Розалиева «Преферанс. Бридж»",
        "leningrad": "справка ПрефКаунта: очко пули — два очка горы",
        "sochi": "книжный раздел об окончании игры; справка ПрефКаунта",
        "rostov": "те же единицы, что в сочинке; записи возникают иначе",
        "classic": "те же единицы, что в сочинке; записи возникают иначе",
        "prefcount-sochi": "справка ПрефКаунта: принято по умолчанию",
        "prefcount-leningrad": "справка ПрефКаунта: принято по умолчанию",
    }
)


def _pick(texts: tuple[str, str], lang: str) -> str:
    return texts[1] if lang == "ru" else texts[0]


def sheet_title(key: str, lang: str) -> str:
    """Return the name of a report sheet."""
    return _pick(SHEETS[key], lang)


def heading(key: str, lang: str) -> str:
    """Return the heading of a column."""
    return _pick(HEADINGS[key], lang)


def phrase(key: str, lang: str, **values: object) -> str:
    """Return a phrase with its blanks filled."""
    return _pick(PHRASES[key], lang).format(**values)


def rounding_sentence(name: str, lang: str) -> str:
    """Return what a rounding does."""
    return _pick(ROUNDING_SENTENCES[name], lang)
