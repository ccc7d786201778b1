/** Milliseconds a card of a replay that plays automatically, by selected speed. */
export const CARD_INTERVALS_MS = [1800, 900, 450, 200];
