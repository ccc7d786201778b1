/**
 * Stands between pages and the network: files from here, pages from the network. Without one a page that is kept comes
 * from here, any other is the offline page. What it keeps belongs to one version; it sees no answer of the API, and what
 * it keeps of somebody goes when another person signs in or out. It shows what the platform tells this phone, where
 * somebody has asked for it. docs/developers/live.md describes what it keeps.
 */

import { isKept, isNobodyThere, isOfToday, learnt, makesForget, signsOut } from "./keeping";
import { isFile, namedByContent, needs } from "./needs";
import { movedTo, toldBy } from "./told";

declare const self: ServiceWorkerGlobalScope & {
  /** Written before this script by frontend/views/phone.py. */
  puur: { version: string; offline: string };
};

const { version, offline } = self.puur;
const FILES = `puur-files-${version}`;
const KEPT = `puur-kept-${version}`;
const ANY = { ignoreVary: true };

const held = async (cache: string, address: string): Promise<Response | undefined> => (await caches.open(cache)).match(address, ANY);

async function put(cache: string, address: string, answer: Response): Promise<void> {
  await (await caches.open(cache)).put(address, answer);
}

async function forget(): Promise<void> {
  await caches.delete(KEPT);
}

/** A file; one whose name says nothing of what is in it comes from the network as long as there is one. */
async function file(url: URL): Promise<Response> {
  const known = await held(FILES, url.href);
  if (known !== undefined && namedByContent(url)) return known;
  try {
    const answer = await fetch(url.href);
    if (answer.status === 200) await put(FILES, url.href, answer.clone());
    return answer;
  } catch (error) {
    if (known !== undefined) return known;
    throw error;
  }
}

/** Everything a page needs, and what that needs. */
async function takeAlong(url: URL, text: string, seen = new Set<string>()): Promise<void> {
  const fresh = needs(url, text).filter(({ href }) => !seen.has(href));
  for (const { href } of fresh) seen.add(href);
  await Promise.all(fresh.map(async (one) => takeAlong(one, await (await file(one)).text(), seen)));
}

async function keep(url: URL, answer: Response): Promise<void> {
  await takeAlong(url, await answer.clone().text());
  await put(KEPT, url.href, answer);
}

async function keepOfflinePage(): Promise<void> {
  const url = new URL(offline, self.location.origin);
  const answer = await fetch(url.href, { cache: "reload" });
  if (!answer.ok) throw new Error(`${offline}: ${answer.status}`);
  await takeAlong(url, await answer.clone().text());
  await put(FILES, url.href, answer);
}

/** What a page that came tells: whether it is still this person's, and the language that is read here now. */
async function learn(url: URL, answer: Response): Promise<void> {
  if (isKept(url)) {
    const what = learnt(answer);
    if (what === "keep") await keep(url, answer);
    if (what === "forget") await (await caches.open(KEPT)).delete(url.href, ANY);
  }
  const language = answer.headers.get("Content-Language");
  const spoken = (await held(FILES, new URL(offline, url).href))?.headers.get("Content-Language");
  if (language !== null && language !== spoken) await keepOfflinePage();
}

async function keptPage(url: URL): Promise<Response | undefined> {
  const found = await held(KEPT, url.href);
  if (found === undefined || isOfToday(found.headers.get("Date"), Date.now())) return found;
  await (await caches.open(KEPT)).delete(url.href, ANY);
  return undefined;
}

async function page(event: FetchEvent, url: URL): Promise<Response> {
  try {
    const answer = ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request));
    const kept = isNobodyThere(answer.status) ? await keptPage(url) : undefined;
    if (kept !== undefined) return kept;
    event.waitUntil(learn(url, isKept(url) ? answer.clone() : answer).catch(() => undefined)); // of others the headers alone
    return answer;
  } catch (error) {
    const instead = (await keptPage(url)) ?? (await held(FILES, new URL(offline, url).href));
    if (instead !== undefined) return instead;
    throw error;
  }
}

/** What other versions kept goes; pages that are open are kept again, with the files they name now. */
async function begin(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith("puur-") && name !== FILES && name !== KEPT);
  await Promise.all(others.map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable(); // a page is asked for while the worker is still waking up
  await self.clients.claim();
  for (const client of await self.clients.matchAll({ type: "window" })) {
    const url = new URL(client.url);
    url.hash = "";
    if (isKept(url)) await fetch(url.href).then((answer) => learn(url, answer)).catch(() => undefined);
  }
}

/** A message in the place of the one about the same round; a phone buzzes again, because it says something else. */
async function showTold(text: string): Promise<void> {
  const { title, body, tag, lang, path } = toldBy(text, self.location.origin);
  const how = { body, lang, data: path, icon: "/static/puur/icons/icon-192.png", ...(tag === "" ? {} : { tag, renotify: true }) };
  await self.registration.showNotification(title, how);
}

/** The window that has the page already, else a new one. */
async function openTold(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: "window" });
  const there = windows.find((client) => client.url === new URL(path, self.location.origin).href);
  await (there === undefined ? self.clients.openWindow(path) : there.focus());
}

/** Who signs out here is told nothing here. */
async function endTelling(): Promise<void> {
  await (await self.registration.pushManager?.getSubscription())?.unsubscribe();
}

/** The browser has changed where it is reached, or is about to: told there all the same, without a page. */
async function moveTelling({ oldSubscription: old, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const now = newSubscription ?? (old === null ? null : await self.registration.pushManager.subscribe(old.options));
  const body = now === null ? null : movedTo(old?.endpoint, now.toJSON());
  if (body !== null) await fetch("/notices/moved/", { method: "POST", body, credentials: "omit" });
}

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(moveTelling(event as PushSubscriptionChangeEvent)));
self.addEventListener("push", (event) => event.waitUntil(showTold(event.data?.text() ?? "")));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openTold(String(event.notification.data ?? "/")));
});
self.addEventListener("install", (event) => event.waitUntil(keepOfflinePage().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin) return;
  url.hash = "";
  const reads = event.request.method === "GET";
  if (event.request.mode === "navigate") {
    if (reads) event.respondWith(page(event, url));
    else if (makesForget(url)) event.waitUntil(Promise.all([forget(), ...(signsOut(url) ? [endTelling()] : [])]));
  } else if (reads && isFile(url) && !event.request.headers.has("Range")) {
    event.respondWith(file(url));
  }
});
