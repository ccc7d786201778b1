/** The panel for push subscriptions. Before the button is pressed, neither permission nor a push endpoint is requested. */

import { find } from "../dom";

type State = "off" | "on" | "denied" | "install" | "insecure" | "unsupported";

const panel = find("[data-notices]");
const said = find("[data-notices-said]");
const on = find<HTMLButtonElement>("[data-notices-on]");
const off = find<HTMLButtonElement>("[data-notices-off]");
const csrf = find<HTMLMetaElement>("meta[name=csrf-token]").content;
const key = panel.dataset["key"] ?? "";

function show(state: State): void {
  for (const one of panel.querySelectorAll<HTMLElement>("[data-state]")) one.hidden = one.dataset["state"] !== state;
  panel.hidden = false;
}

/** What prevents push messages; null if nothing does. */
function hindrance(): State | null {
  if (!window.isSecureContext) return "insecure";
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) return Notification.permission === "denied" ? "denied" : null;
  const apple = /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);
  return apple ? "install" : "unsupported";
}

async function held(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Send a request to the platform; a refusal is shown and returns null. */
async function send(what: "on" | "off" | "ask", subscription: PushSubscription): Promise<{ on: boolean; left?: number } | null> {
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ what, endpoint: endpoint ?? "", ...(what === "on" ? keys : {}) });
  const answer = await fetch(panel.dataset["notices"] ?? "", { method: "POST", headers: { "X-CSRFToken": csrf }, body });
  const told = (await answer.json().catch(() => ({}))) as { on?: boolean; left?: number; detail?: string };
  if (answer.ok && told.on !== undefined) return { on: told.on, ...(told.left === undefined ? {} : { left: told.left }) };
  said.textContent = told.detail ?? panelWord("failed");
  return null;
}

const panelWord = (name: "unreachable" | "failed"): string => said.dataset[name] ?? "";

/** The newest worker, because an older one cannot show messages. */
async function worker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register("/worker.js", { updateViaCache: "all" });
  await registration.update().catch(() => undefined);
  return navigator.serviceWorker.ready;
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));

function isOurs(subscription: PushSubscription): boolean {
  const used = subscription.options.applicationServerKey;
  if (used === null) return false;
  const ours = bytesOf(key);
  return new Uint8Array(used).every((byte, at) => byte === ours[at]);
}

/** Subscribe the browser, once for all people; a subscription to an old key ends. */
async function subscribe({ pushManager }: ServiceWorkerRegistration): Promise<PushSubscription> {
  const known = await pushManager.getSubscription();
  if (known !== null && isOurs(known)) return known;
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
}

async function begin(): Promise<void> {
  const leave = await Notification.requestPermission();
  if (leave !== "granted") return show(leave === "denied" ? "denied" : "off");
  let subscription: PushSubscription;
  try {
    subscription = await subscribe(await worker());
  } catch {
    said.textContent = panelWord("unreachable");
    return;
  }
  if ((await send("on", subscription)) !== null) {
    show("on");
    off.focus();
  } else {
    await endUnused(subscription);
  }
}

/** End the browser's subscription when it has no people left. */
async function endUnused(subscription: PushSubscription): Promise<void> {
  const told = await fetchLeft(subscription);
  if (told === 0) await subscription.unsubscribe();
}

async function fetchLeft(subscription: PushSubscription): Promise<number | undefined> {
  const before = said.textContent;
  const left = (await send("off", subscription).catch(() => null))?.left;
  said.textContent = before;
  return left;
}

async function end(): Promise<void> {
  const subscription = await held();
  const told = subscription === null ? { on: false, left: 1 } : await send("off", subscription);
  if (told === null) return;
  if (told.left === 0) await subscription?.unsubscribe();
  show("off");
  on.focus();
}

/** Load the current state, which another window may have changed. Only a known phone asks the platform. */
async function look(): Promise<void> {
  const hindered = hindrance();
  if (hindered !== null) return show(hindered);
  const subscription = Notification.permission === "granted" ? await held() : null;
  const told = subscription === null || !isOurs(subscription) ? null : await send("ask", subscription);
  show(told?.on === true ? "on" : "off");
}

function press(button: HTMLButtonElement, act: () => Promise<void>): void {
  button.addEventListener("click", () => {
    said.textContent = "";
    button.disabled = true;
    void act()
      .catch(() => (said.textContent = panelWord("failed")))
      .finally(() => (button.disabled = false));
  });
}

press(on, begin);
press(off, end);
document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? void look().catch(() => undefined) : undefined));
void look()
  .catch(() => show("off"))
  .then(() => (location.hash === "#notices" ? panel.scrollIntoView() : undefined));
