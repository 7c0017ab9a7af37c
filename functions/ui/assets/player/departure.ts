import { closest } from "../elements.ts";
import { writeTab } from "../tab-store.ts";
import { AWAY, FORGOTTEN, GOES_ON, goesOn, handedSources, hosts, isGuest, keepSources } from "./arrival.ts";
import { player } from "./player.ts";
import type { Entry } from "./player-queue.ts";
import { say } from "./player-said.ts";
import { learn, type TrackSources } from "./player-sources.ts";

/**
 * Hands the music over to a page that loads as a whole: one of another of our hosts, which share no storage, or one of
 * this host's that Turbo does not swap in. See `arrival.ts`.
 */

/** Entries of a long queue that go along. The rest waits at home. */
const BEFORE = 20;
const AFTER = 100;
/** Milliseconds between a press and the page's end. */
const PRESSED_MS = 10_000;

/** Their replies may lead to others: apps, downloads, an operator's own page. */
const LEADS_ON = /^\/(?:authorize|connect|oauth2?|terms|privacy|you\/download|client\.tgz)(?:\/|$)/;

const isOurs = ({ origin, pathname }: URL) => hosts().includes(origin) && !LEADS_ON.test(pathname);

/** Pages of one host share their storage. */
const isOneHost = () => new Set(hosts()).size === 1;

/** Leads to the sign-in on another host. */
const isSignIn = ({ pathname }: URL) => pathname === "/session/new";

let pressedAtMs = 0;

const slim = ({ id, secret, title, artist, artwork, durationMs }: Entry, isNow: boolean) => ({
  id,
  secret,
  title: title?.slice(0, 100),
  artist: artist?.slice(0, 100),
  durationMs,
  ...(isNow && { artwork }),
});

/** The music as the fragment of an address, after the fragment that it has. */
function withMusic(address: URL): string {
  const { queue, entry } = player;
  const from = Math.max(queue.at - BEFORE, 0);
  const entries = queue.entries.slice(from, queue.at + AFTER);
  const { rate, volume, isMuted } = player;
  const handed = {
    queue: {
      entries: entries.map((one) => slim(one, one === entry)),
      at: queue.at - from,
      repeat: queue.repeat,
      position: player.hasEnded ? 0 : player.position,
      rate,
      volume,
      isMuted,
      reader: document.getElementById("player-bar")?.dataset.reader,
    },
    isPlaying: player.isPlaying || player.isLoading,
    atMs: Date.now(),
    sources: player.sources,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(handed));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const fragment = `player=${text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
  writeTab(AWAY, "yes");
  const at = address.hash.slice(1);
  const to = new URL(address);
  to.hash = at ? `${fragment}&${new URLSearchParams({ at })}` : fragment;
  return to.href;
}

/** Bubbles last, once nobody else has taken the press. */
window.addEventListener("click", (event) => {
  const { button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
  const link = closest(event.target, "a[href]", HTMLAnchorElement);
  if (!link || button || ctrlKey || metaKey || shiftKey || altKey || defaultPrevented) return;
  if (link.target || link.hasAttribute("download")) return;
  pressedAtMs = Date.now();
  const address = new URL(link.href);
  const isElsewhere = address.origin !== location.origin || isSignIn(address);
  if (!player.entry || isOneHost() || !isElsewhere || !isOurs(address)) return;
  const { href } = link;
  link.href = withMusic(address);
  // Tells the next page that the words in its address come from one of ours.
  link.referrerPolicy = "strict-origin";
  // The link is as before for whoever copies it, or comes Back.
  setTimeout(() => link.setAttribute("href", href));
});

/** Forms whose replies stay with us say so. */
window.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
  const address = new URL(form.action, location.href);
  // Signing out leaves nothing behind: the queue may name what is private.
  if (/^\/(?:session\/end|signout)$/.test(address.pathname)) return writeTab(FORGOTTEN, "yes");
  pressedAtMs = Date.now();
  const isElsewhere = address.origin !== location.origin || form.dataset.leads === "home";
  if (!player.entry || isOneHost() || !isElsewhere || !isOurs(address)) return;
  const action = form.getAttribute("action");
  form.action = withMusic(address);
  setTimeout(() => form.setAttribute("action", action ?? ""));
});

window.addEventListener("pagehide", () => {
  const isPlaying = player.isPlaying || player.isLoading;
  if (isPlaying && Date.now() - pressedAtMs < PRESSED_MS) writeTab(GOES_ON, String(Date.now()));
  if (isGuest() && player.entry) keepSources(player.entry, player.sources);
});

const sources = isGuest() && player.entry ? handedSources(player.entry) : undefined;
if (player.entry && sources) learn(player.entry, sources as TrackSources);
if (goesOn()) goOn();

/** Browsers may want a press on each host first. */
async function goOn(): Promise<void> {
  await player.play();
  if (player.entry && !player.isPlaying && !player.isLoading && !player.trouble)
    say("Your browser has paused the music here. Press Play to go on.");
}
