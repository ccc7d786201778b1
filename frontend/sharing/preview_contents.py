"""The contents of link previews: of a championship, its ranking, a table, or a moment of its game."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine import replay
from frontend.preferences import read_preference
from frontend.presenters.names.seat_names import join_side_names, seat_names
from frontend.presenters.rounds.round_names import ranking_state, round_name
from frontend.presenters.standings import loaded_rankings, ranking_lines
from frontend.presenters.tables.moment import list_played_cards, load_visible_events
from frontend.presenters.tables.table_scene import Spot, rotate_seat
from frontend.presenters.words.contract_names import contract_name
from frontend.presenters.words.dates import format_occasion
from frontend.presenters.words.figures import format_figure
from frontend.sharing.embedding import table_to_embed
from frontend.sharing.moment_pictures import MomentPreview
from frontend.sharing.preview_pictures import RANKING_LINES, LinkPreview, PreviewLine
from frontend.sharing.strangers import NOBODY, NotShared
from games.models import Game
from games.projections.projection import summarise
from games.rights import observers
from tournaments.models import Championship, Table


def describe_championship(championship: Championship) -> LinkPreview:
    """Return name, place and day of the championship, and the first three of its ranking."""
    ranked = describe_ranking(championship)
    said = ", ".join(filter(None, (championship.place, format_occasion(championship.starts_at))))
    return LinkPreview(championship.name, said, ranked.lines[:3], championship.get_status_display())


def describe_ranking(championship: Championship) -> LinkPreview:
    """Return the first places of the newest published ranking."""
    ranking = loaded_rankings.load_published(championship)
    rows = ranking.rows[:RANKING_LINES]
    people = ranking_lines.load_ranked_people(championship, rows)
    lines = [
        PreviewLine(ranking_lines.name_in(people, row), format_figure(row.total), str(row.place))
        for row in rows
    ]
    foot = ranking_state(ranking) if rows else ""
    return LinkPreview(_("Standings"), championship.name, lines, foot)


def describe_table(game: Game, place: Table | None) -> LinkPreview:
    """Return players and score of a table, as every list of tables shows them. It contains no cards."""
    lines = _standing(join_side_names(seat_names(game), game.sides), game.totals)
    deal = _("Deal %(n)s") % {"n": game.deal} if game.deal else ""
    if place is None:
        return LinkPreview(_("A single table"), "", lines, deal)
    return LinkPreview(_("Table %(number)s") % {"number": place.number}, _describe_round(place), lines, deal)


def _describe_round(place: Table) -> str:
    return f"{place.round.championship.name} · " + round_name(place.round)


def _standing(sides: Sequence[str], totals: Sequence[int | None]) -> list[PreviewLine]:
    """Return a line for each side with its total; a dash stands for an unknown total."""
    known = dict(enumerate(totals))
    return [PreviewLine(side, format_figure(known.get(at))) for at, side in enumerate(sides)]


def describe_moment(game: Game, place: Table | None, at: int) -> MomentPreview:
    """Return what everybody may see of the game after event `at`: its score, and the current or last trick,
    but no hand. Raises NotShared if that moment is not public yet, or if the game is not public card by card.
    """
    table_to_embed(game, place, at)
    if game.mode == Game.Mode.SHEET:
        raise NotShared("of a score sheet there are no moments")
    events = load_visible_events(game, observers.find_observer(game, NOBODY))
    so_far = [event for event in events if event.seq <= at]
    state, names = replay(so_far), seat_names(game)
    cards = list_played_cards(so_far, len(names))
    last = cards[-1] if cards and cards[-1].deal == state.deal else None
    fell = {card.seat: card for card in cards if last and (card.deal, card.trick) == (last.deal, last.trick)}
    order = [*fell, *(seat for seat in range(len(names)) if seat not in fell)]
    spots = [
        Spot(
            rotate_seat(seat, 0, len(names)),
            names[seat],
            lies=seat in fell,
            card=fell[seat].card if seat in fell else None,
        )
        for seat in order
    ]
    deck = read_preference(None, "deck")
    table = _("Table %(number)s") % {"number": place.number} if place else _("A single table")
    deal = _("Deal %(n)s") % {"n": state.deal} if state.deal else table
    trick = _("Trick %(n)s") % {"n": last.trick} if last else ""
    return MomentPreview(
        above=f"{_describe_round(place)} · {table}" if place else table,
        title=" · ".join(filter(None, (deal, trick))),
        said=contract_name(state.contract, deck) if state.contract else "",
        lying=spots,
        lines=_standing(join_side_names(names, game.sides), summarise(state).totals),
        deck=deck,
    )
