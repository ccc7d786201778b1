/**
 * The service worker: static files come from its cache, pages from the network. Offline, a kept page comes from the
 * cache, any other is the offline page. Its caches belong to one version; it sees no response of the API, and personal
 * pages are erased when the person may change. It shows subscribed push messages. docs/developers/live.md describes
 * what it stores.
 */

import { isKept, isNobodyThere, isOfToday, learnt, makesForget, signsOut } from "./offline-pages";
import { isFile, namedByContent, needs } from "./needs";
import { movedTo, toldBy } from "./push-message";

declare const self: ServiceWorkerGlobalScope & {
  /** Prepended to this script by frontend/views/site/pwa.py. */
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

/** Load a file. A file without a content hash in its name comes from the network if possible. */
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

/** Cache all dependencies of a page, recursively. */
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

/** Learn from a loaded page whether it is still this person's, and the current language. */
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
    event.waitUntil(learn(url, isKept(url) ? answer.clone() : answer).catch(() => undefined)); // other responses are used for their headers only
    return answer;
  } catch (error) {
    const instead = (await keptPage(url)) ?? (await held(FILES, new URL(offline, url).href));
    if (instead !== undefined) return instead;
    throw error;
  }
}

/** Delete other versions' caches; open pages are stored again with their current files. */
async function begin(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith("puur-") && name !== FILES && name !== KEPT);
  await Promise.all(others.map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable(); // pages are requested while the worker starts
  await self.clients.claim();
  for (const client of await self.clients.matchAll({ type: "window" })) {
    const url = new URL(client.url);
    url.hash = "";
    if (isKept(url)) await fetch(url.href).then((answer) => learn(url, answer)).catch(() => undefined);
  }
}

/** Show a message in place of the one about the same round; the phone vibrates again, because the text differs. */
async function showTold(text: string): Promise<void> {
  const { title, body, tag, lang, path } = toldBy(text, self.location.origin);
  const how = { body, lang, data: path, icon: "/static/puur/icons/icon-192.png", ...(tag === "" ? {} : { tag, renotify: true }) };
  await self.registration.showNotification(title, how);
}

/** Focus the window with that page, or open one. */
async function openTold(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: "window" });
  const there = windows.find((client) => client.url === new URL(path, self.location.origin).href);
  await (there === undefined ? self.clients.openWindow(path) : there.focus());
}

/** End push messages at a sign-out. */
async function endTelling(): Promise<void> {
  await (await self.registration.pushManager?.getSubscription())?.unsubscribe();
}

/** The browser has changed its push endpoint, or is about to: update the subscriptions without a page. */
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
