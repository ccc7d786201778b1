/** The origin of a round's cards: after the round every deck is dealt again here and compared with the log. */

import { cardFace, h } from "../dom";
import { say, type Page } from "../page";
import { isCode } from "../table/cards";
import { sortHand } from "../table/hand-order";
import { Unusable, hex, text, whole, type Json, type JsonObject } from "../verify/file/bytes";
import { Chance, dealt } from "../verify/chance";
import { dealsOf, follows, forehandFollows, revealedSeed, type Deal, type Told } from "../verify/rounds";

interface Event {
  type: string;
  body: JsonObject;
  commitments: JsonObject;
}

interface TableOfRound {
  table: number;
  number: number;
  game: string;
  names: string[];
  mine: boolean;
}

const data = JSON.parse(document.getElementById("fairness")!.textContent ?? "{}") as {
  events: Event[];
  tables: TableOfRound[];
  sprites: Page["sprites"];
};
/** The number of tables checked automatically, the viewer's table first. */
const AT_ONCE = 12;
const page = { sprites: data.sprites } as Page;

const entropy = data.events.filter((event) => event.type === "entropy_added").map((event) => text(event.body["entropy"]));

const verdict = (good: boolean, words: string): HTMLLIElement =>
  h("li", {}, h("span", { class: `pill ${good ? "done" : "danger"}` }, say(good ? "fair.right" : "fair.wrong")), ` ${words}`);

/** The commitment, and the draws of seats and forehand. */
function promises(seed: Uint8Array | null): HTMLElement {
  const lines = [verdict(seed !== null, say("fair.seed"))];
  if (seed !== null) {
    const before: string[] = [];
    for (const { type, body } of data.events) {
      const chance = new Chance(seed, before);
      if (type === "entropy_added") before.push(text(body["entropy"]));
      else if (type === "seats_drawn" && body["seed"] !== "") {
        const draw = whole(body["draw"]);
        lines.push(verdict(hex(chance.first(32, "pairing", draw)) === body["seed"], say("fair.draw", { n: draw })));
      } else if (type === "forehand_drawn") {
        lines.push(verdict(forehandFollows(body, chance), say("fair.forehand", { n: whole(body["number"]) % 10_000 })));
      }
    }
    const begun = data.events.findIndex(({ type }) => type === "forehand_drawn" || type === "round_opened");
    const late = begun >= 0 && data.events.slice(begun).some(({ type }) => type === "entropy_added");
    lines.push(verdict(!late, say("fair.in_time", { n: before.length })));
  }
  return h("ul", {}, ...lines);
}

const closed = (event: JsonObject): boolean => event["cards"] === null || event["closed"] === null;

async function logOf(game: string): Promise<Told[]> {
  const response = await fetch(`/api/v1/games/${game}/log/`);
  if (!response.ok) throw new Unusable("fair.no_log");
  const lines = (await response.text()).trim().split("\n");
  return lines.map((line) => {
    const event = JSON.parse(line) as JsonObject;
    return { type: text(event["type"]), body: event, parts: {}, closed: closed(event) };
  });
}

function hands(deal: Deal, table: TableOfRound): HTMLElement {
  const row = (name: string, cards: readonly string[]): HTMLElement =>
    h("div", { class: "dealt-hand" }, h("span", { class: "name" }, name), ...sortHand(cards.filter(isCode), null).map((card) => cardFace(page, card)));
  const rows = deal.shares.map((cards, seat) => row(table.names[seat] ?? "", cards));
  return h("div", {}, ...rows, deal.left.length ? row(say("fair.left"), deal.left) : null);
}

function dealLine(deal: Deal, seats: number, chance: Chance, table: TableOfRound): { good: boolean; shown: HTMLElement } {
  const good = follows(deal, seats, chance, table.number);
  const details = h("details", { class: "more" }, h("summary", {}, `${good ? "✓" : "✗"} ${say("fair.deal", { n: deal.deal })}`));
  details.addEventListener(
    "toggle",
    () => {
      details.append(h("p", {}, say("fair.in_log")), hands(deal, table));
      if (good) return;
      const size = Math.max(...deal.shares.map((share) => share.length));
      const again = dealt(chance.pack("deck", table.number, deal.deal), seats, size, (deal.dealer + 1) % seats);
      details.append(h("p", {}, say("fair.from_seed")), hands({ ...deal, shares: again.shares, left: again.rest }, table));
    },
    { once: true },
  );
  return { good, shown: details };
}

async function tableLine(table: TableOfRound, chance: Chance): Promise<HTMLElement> {
  const title = h("h3", {}, say("fair.table", { n: table.table }), " ");
  const line = h("li", { class: `panel${table.mine ? " mine" : ""}` }, title, h("p", { class: "muted" }, table.names.join(", ")));
  try {
    const deals = [...dealsOf(await logOf(table.game))].map(({ deal, seats }) => dealLine(deal, seats, chance, table));
    const good = deals.every((deal) => deal.good);
    title.append(h("span", { class: `pill ${good ? "done" : "danger"}` }, say(good ? "fair.right" : "fair.wrong")));
    line.append(...deals.map((deal) => deal.shown));
  } catch (error) {
    const why: Json = error instanceof Unusable ? say(error.what, error.params) : String(error);
    line.append(h("p", { class: "message" }, why));
  }
  return line;
}

async function check(): Promise<void> {
  const tables = document.querySelector("[data-tables]");
  const told = document.querySelector("[data-promises]");
  if (tables === null || told === null) return;
  const seed = revealedSeed(data.events);
  told.replaceChildren(promises(seed));
  if (seed === null) return;
  const chance = new Chance(seed, entropy);
  const again = async (some: TableOfRound[]): Promise<void> => {
    for (const table of some) tables.append(await tableLine(table, chance));
  };
  await again(data.tables.slice(0, AT_ONCE));
  const others = data.tables.slice(AT_ONCE);
  if (others.length) {
    const button = h("button", { type: "button", class: "button" }, say("fair.others", { n: others.length }));
    button.addEventListener("click", () => {
      button.remove();
      void again(others);
    });
    tables.after(button);
  }
  tables.setAttribute("data-done", "");
}

void check();
