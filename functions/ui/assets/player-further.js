import { player } from "./player.js";
import { entriesIn, furtherOf } from "./player-buttons.js";
import { keyOf } from "./player-sources.js";

/** A queue goes on with the next page of its list when its end is near. A shuffled one needs the whole list. */

/** Entries before the end. */
const NEAR = 3;
/** Entries, as many as a set holds at most. */
const MOST = 500;

let asked;

async function goOn() {
  const { entries, at, original, further } = player.queue;
  if (!further || further === asked || entries.length >= MOST) return;
  if (!original && entries.length - at > NEAR) return;
  asked = further;
  const list = await listAt(further).catch(() => undefined);
  asked = undefined;
  if (!list || player.queue.further !== further) return;
  const known = new Set(player.queue.entries.map(keyOf));
  player.extend(
    entriesIn(list).filter((entry) => !known.has(keyOf(entry))),
    furtherOf(list),
  );
}

async function listAt(address) {
  const reply = await fetch(address, { headers: { Accept: "text/html" } });
  if (!reply.ok) return undefined;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  return page.querySelector("main [data-queue]");
}

for (const name of ["track", "queue"]) player.addEventListener(name, goOn);
