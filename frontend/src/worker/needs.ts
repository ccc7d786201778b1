/** The dependencies of a file: style sheets, scripts, their parts, fonts, the active deck. Pure. */

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

/** The URLs of static files that a text mentions. */
export function needs(address: URL, text: string): URL[] {
  const kind = address.pathname.endsWith(".js") ? inScript : address.pathname.endsWith(".css") ? inStyles : address.pathname.startsWith(STATIC) ? () => [] : inPage;
  const found = new Set(kind(text).map((path) => new URL(path, address).href));
  return [...found].map((href) => new URL(href)).filter((url) => url.origin === address.origin && url.pathname.startsWith(STATIC));
}

export const isFile = (url: URL): boolean => url.pathname.startsWith(STATIC);

/** Whether the file name contains a content hash, so that a cached copy never expires. */
export const namedByContent = (url: URL): boolean => /\.[0-9a-f]{12}\.\w+$|\/part-\w+\.js$/.test(url.pathname);
