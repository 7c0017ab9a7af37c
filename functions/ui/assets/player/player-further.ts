import { findIfAny } from "../elements.ts";
import { player } from "./player.ts";
import { entriesIn, furtherOf } from "./player-buttons.ts";
import { extended, keyOf } from "./player-queue.ts";

/** A queue goes on with the next page of its list when its end is near. A shuffled one needs the whole list. */

/** Entries before the end. */
const NEAR = 3;
/** Entries, as many as a set holds at most. */
const MOST = 500;

let asked: string | undefined;

async function goOn() {
  const { entries, at, original, further } = player.queue;
  if (!further || further === asked || entries.length >= MOST) return;
  if (!original && entries.length - at > NEAR) return;
  asked = further;
  const list = await listAt(further).catch(() => undefined);
  asked = undefined;
  if (!list || player.queue.further !== further) return;
  const known = new Set(player.queue.entries.map(keyOf));
  const more = entriesIn(list).filter((entry) => !known.has(keyOf(entry)));
  player.arrange((queue) => extended(queue, more, furtherOf(list)));
}

async function listAt(address: string): Promise<HTMLElement | undefined> {
  const reply = await fetch(address, { headers: { Accept: "text/html" } });
  if (!reply.ok) return undefined;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  return findIfAny(page, "main [data-queue]", HTMLElement);
}

for (const name of ["track", "queue"]) player.addEventListener(name, goOn);
