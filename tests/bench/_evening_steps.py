"""Steps of an organiser during an evening with real cards, through the pages, in German.

Buttons are found by the address of their form, so that a new wording breaks no counts;
tests/e2e/test_whole_evening.py checks the visible texts.
"""

from collections.abc import Callable, Iterable, Sequence

from playwright.sync_api import Page, expect

from tests.bench._evening_hand import Hand
from tests.live_tree import ORGANISER

NAMES = (
    ("Ammann", "Anna"),
    ("Bühler", "Beat"),
    ("Caduff", "Chiara"),
    ("Dörig", "Dario"),
    ("Egli", "Elsbeth"),
    ("Frei", "Fränzi"),
    ("Gut", "Görgi"),
    ("Huber", "Heidi"),
    ("Imhof", "Ida"),
    ("Jost", "Jürg"),
    ("Kälin", "Köbi"),
    ("Lutz", "Luzia"),
    ("Müller", "Maja"),
    ("Niederberger", "Noldi"),
    ("Odermatt", "Otto"),
    ("Pfister", "Päuli"),
    ("Quadri", "Quirin"),
    ("Rohrer", "Rosmarie"),
    ("Schmid", "Sepp"),
    ("Tobler", "Trudi"),
    ("Ulrich", "Urs"),
    ("Vetsch", "Vreni"),
    ("Wicki", "Werni"),
    ("Zgraggen", "Zita"),
)
WHOLE = 8 * 157
"""Points of all cards in a round of eight deals."""


def people(count: int) -> list[tuple[str, str]]:
    """Family name and first name, no two people alike."""
    size = len(NAMES)
    return [(NAMES[n % size][0], NAMES[(n + n // size) % size][1]) for n in range(count)]


def nothing(_: str) -> None:
    """No observer."""


class Organiser(Hand):
    """An organiser at a laptop. `look` is called after each step with a name for the visible state."""

    def __init__(self, page: Page, url: str, look: Callable[[str], None] = nothing) -> None:
        super().__init__(page)
        self.url, self.look = url, look
        self.slug = ""

    def sign_in(self) -> None:
        self.page.goto(f"{self.url}/sign-in/")
        self.page.fill("input[name=username]", ORGANISER[0])
        self.page.fill("input[name=password]", ORGANISER[1])
        self.page.click("main form button.primary")
        expect(self.page.locator("a[href='/new/']").first).to_be_visible()

    @property
    def path(self) -> str:
        return f"/c/{self.slug}/"

    def goes_to(self, path: str) -> None:
        """Open an address, which is no press: only between counted steps."""
        self.page.goto(f"{self.url}{self.path}{path}")

    def found(self, name: str, preset: str) -> None:
        self.press("a[href='/new/']")
        self.look("new evening")
        way = self.page.locator(f"input[name=preset][value='{preset}']")
        if not way.is_checked():
            self.press(way)
        self.words(name, "#id_name")
        self.press("main form button.primary")
        expect(self.page.locator(".next-step")).to_be_visible()
        self.slug = self.page.url.rstrip("/").rpartition("/")[2]
        self.look("founded")

    def changes_regulations(self, chosen: dict[str, str]) -> None:
        """Change regulations that differ from the preset; without a difference nothing is pressed."""
        self.goes_to("regulations/")
        fields = {name: self.page.locator(f"main [name='{name}']") for name in chosen}
        if all(fields[name].input_value() == value for name, value in chosen.items()):
            return
        for name, value in chosen.items():
            if fields[name].input_value() != value:
                self.choose(value, fields[name])
        self.press("main form button.primary")
        self.look("regulations")

    def enters(self, names: Iterable[tuple[str, str]], club: str = "Jassclub Santiago") -> None:
        """Paste a list from a spreadsheet."""
        rows = [f"{family};{first};{club}" for family, first in names]
        self.goes_to("entries/")
        self.press(f"a[href='{self.path}entries/import/']")
        self.words("\n".join(["Nachname;Vorname;Verein", *rows]), "main textarea")
        self.look("list pasted")
        self.press("main form button.primary")
        self.look("list looked at")
        self.press(self.page.locator("main form button.primary").first)
        expect(self.page.locator(".desk-row").first).to_be_visible()
        self.look("entered")

    def pairs(self, names: Sequence[tuple[tuple[str, str], tuple[str, str]]]) -> None:
        """Enter pairs, one line a pair."""
        self.goes_to("pairs/")
        lines = [f"{a} {b} / {c} {d}" for (a, b), (c, d) in names]
        self.words("\n".join(lines), "main textarea")
        self.press("main button[value=lines]")
        expect(self.page.locator("main form button[value=arrive]").first).to_be_visible()
        self.look("pairs")

    # --- a round

    def act(self, what: str) -> str:
        """The button of a round for this action."""
        return f"form[action$='/do/{what}/'] button.button"

    def goes_on(self) -> None:
        """Press the one next step, from any state."""
        self.press(".next-step .button")

    def draws_and_opens(self) -> None:
        self.look("before the draw")
        self.press(self.act("draw"))
        expect(self.page.locator(self.act("open"))).to_be_visible()
        self.look("drawn")
        self.press(self.act("open"))
        expect(self.page.locator("main a[href$='/results/']").first).to_be_visible()
        self.look("open")

    def begins_typing(self) -> None:
        self.press("main a[href$='/results/']")
        expect(self.page.locator("[data-points]:focus")).to_be_visible()
        self.look("grid")

    def types(self, points: int) -> None:
        """Enter one number; the line is saved."""
        self.number(points)
        with self.page.expect_response(lambda answer: answer.request.method == "POST"):
            self.key("Enter")

    def types_wrong(self, points: int) -> None:
        """Enter an impossible number: nothing is saved, and the cursor stays."""
        self.number(points)
        self.key("Enter")
        expect(self.page.locator("tr[data-wrong] [data-points]:focus")).to_be_visible()
        self.look("a number that cannot be")

    def closes(self) -> None:
        """Close the round from the grid, after its last line."""
        self.press(f"[data-all-done] {self.act('close')}")
        expect(self.page.locator("#do-next")).to_be_visible()
        self.look("closed")

    # --- the desk

    def here(self, *families: str) -> None:
        """Mark people as present by keyboard: `/`, some letters, Enter."""
        self.goes_to("entries/")
        for family in families:
            row = self.page.locator(".desk-row", has_text=family)
            self.key("/")
            self.counts.words += 1
            self.page.keyboard.type(family.lower())
            self.key("Enter")
            expect(row.locator("[formaction$='/leave/']").first).to_be_visible()
        self.look("at the desk")

    def all_here(self) -> None:
        """Mark all expected people as present with one press."""
        self.press("form[action$='/all-here/'] button")
        expect(self.page.locator("form[action$='/all-here/'] button[name=undo]")).to_be_visible()
        self.look("all here")

    def goes_home(self, family: str) -> None:
        """Mark a person as gone for the rest of the evening: they are not drawn any more."""
        self.goes_to("entries/")
        row = self.page.locator(".desk-row", has_text=family)
        self.press(row.locator("[formaction$='/withdraw/']"))
        expect(row.locator("[formaction$='/take-back/']")).to_be_visible()
        self.look("gone home")

    # --- corrections

    def substitute(self, missing: str, plays: str) -> None:
        """Replace a player on the page of the round: the missing player, the substitute, a new name."""
        self.press("#stand-in summary")
        self.key("Tab")
        self.words(missing, "#stand-in [name=instead]")
        self.key("Tab")
        self.words(plays, "#stand-in [name=player]")
        self.key("Tab")
        self.key("Space")  # the substitute is not on the list yet
        self.look("substitute typed")
        self.key("Enter")
        expect(self.page.locator("[aria-labelledby=stand-ins]")).to_contain_text(plays.split()[0])
        self.look("substitute")

    def corrects(self, round_: int, points: int, reason: str) -> None:
        """Correct an old total, from the ranking: its figure, the number, the reason."""
        self.press(f"nav a[href='{self.path}standings/']")
        self.look("standings")
        self.press(f"main a[href*='/rounds/{round_}/correct/?entry=']")
        form, deal = self.page.locator("#correction-form"), self.page.locator("main a[href*='?deal=1']")
        expect(form.or_(deal).first).to_be_visible()
        if not form.count():
            self.press(deal)
        fields = form.locator("[name^=scores-]")
        self.number(points, fields.first)
        self.counts.numbers += 1
        self.key("Tab")
        self.page.keyboard.type(str(WHOLE - points))
        expect(self.page.locator("#outlook del").first).to_be_visible()
        self.look("correction typed")
        self.words(reason, form.locator("[name=reason]"))
        self.press(form.locator("button.primary"))
        expect(self.page.locator(".correction-past")).to_contain_text(reason)
        self.look("corrected")

    # --- the end

    def fees(self, label: str, francs: str) -> None:
        self.goes_to("cash/fees/")
        self.words(label, "[name=fee-0-label]")
        self.words(francs, "[name=fee-0-amount]")
        self.press("main form button.primary")
        self.look("fees")

    def prizes(self, money: str, special: str) -> None:
        """Enter money for places and prizes to choose from."""
        self.goes_to("prizes/plan/")
        self.words(money, "[name=places]")
        self.words(special, "[name=table]")
        self.press("main form button.primary")
        expect(self.page.locator("a[href$='/prizes/giving/']")).to_be_visible()
        self.look("prizes")

    def gives_prizes(self) -> int:
        """Call the prizes from first to last; returns the number of calls."""
        self.press("a[href$='/prizes/giving/']")
        following = self.page.locator("form[action$='/prizes/call/'] button.primary")
        things = self.page.locator("form[action$='/prizes/call/'] button[name=thing]")
        called = 0
        expect(following).to_be_visible()
        while following.count():
            self.press(following)
            called += 1
            expect(self.page.locator(".giving .eyebrow")).to_contain_text(f"{called} / ")
            if things.count():
                with self.page.expect_navigation():
                    self.press(things.first)
        self.look("prizes given")
        return called

    def finishes(self) -> None:
        """Finish by the one next step of the overview; people level in the ranking draw lots first."""
        self.goes_to("")
        self.press(".next-step .button")
        lots = self.page.locator("main section.panel input[type=number]")
        finished = self.page.locator(f".next-step a[href$='{self.path}again/']")
        expect(lots.or_(finished).first).to_be_visible()
        if lots.count():
            for number, lot in enumerate(lots.all(), 1):
                self.words(str(number), lot)
            self.press("main form button.primary")
            expect(self.page).to_have_url(f"{self.url}{self.path}standings/")
            self.look("lots drawn")
            self.goes_to("")
            self.press(".next-step .button")
        expect(finished).to_be_visible()
        self.look("finished")
