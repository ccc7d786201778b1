/** What a file of ours asks for: style sheets, scripts, their parts, fonts, the deck in use. Pure. */

const STATIC = "/static/";

function inPage(text: string): string[] {
  const deck = /data-deck="(\w+)"/.exec(text)?.[1] ?? "";
  const named = [...text.matchAll(/"(\/static\/[^"?#\s]+)/g)].map((found) => found[1] as string);
  return named.filter((path) => !path.includes("/cards/") || path.includes(`/cards/${deck}.`));
}

function inScript(text: string): string[] {
  return [...text.matchAll(/"(\.\/[\w.-]+\.js)"/g)].map((found) => found[1] as string);
}

function inStyles(text: string): string[] {
  return [...text.matchAll(/url\(["']?([^"')#?]+)/g)].map((found) => found[1] as string).filter((path) => !path.startsWith("data:"));
}

/** The addresses of static files that the text at an address names. */
export function needs(address: URL, text: string): URL[] {
  const kind = address.pathname.endsWith(".js") ? inScript : address.pathname.endsWith(".css") ? inStyles : address.pathname.startsWith(STATIC) ? () => [] : inPage;
  const found = new Set(kind(text).map((path) => new URL(path, address).href));
  return [...found].map((href) => new URL(href)).filter((url) => url.origin === address.origin && url.pathname.startsWith(STATIC));
}

export const isFile = (url: URL): boolean => url.pathname.startsWith(STATIC);

/** Whether the name of a file changes with what is in it: then what is kept under it is right for ever. */
export const namedByContent = (url: URL): boolean => /\.[0-9a-f]{12}\.\w+$|\/part-\w+\.js$/.test(url.pathname);
