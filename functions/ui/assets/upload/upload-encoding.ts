import { findInApi, pause, problemOf } from "./upload-api.ts";
import type { Item } from "./upload-item.ts";
import type { Track } from "./upload-replies.ts";

/** Follows a track's encoding to its end. */

/** Milliseconds between two looks. */
const FIRST_LOOK_MS = 700;
const LONGEST_LOOK_MS = 8000;
const SIGNED_OUT_LOOK_MS = 60_000;

const UNSEEN = "The encoding goes on. Sign in as before in another tab, then come back to see how far it is.";

export async function followEncoding(item: Item): Promise<void> {
  for (let wait = FIRST_LOOK_MS; item.track; wait = Math.min(wait * 1.3, LONGEST_LOOK_MS)) {
    const { state, encoding } = item.track;
    if (state === "failed") return item.to("failed", encoding?.reason?.message ?? "Encoding failed.");
    if (state === "finished") return item.to("finished");
    item.to("encoding", item.problem);
    await pause(wait);
    const looked = await look(item, item.track);
    if (!looked) {
      item.isHopeless = true;
      return item.to("failed", "The track was deleted.");
    }
    item.track = looked;
  }
}

/** Resolves to the track as it is, or as it was if nobody answers, and to undefined without one. */
async function look(item: Item, { id }: Track): Promise<Track | undefined> {
  for (;;) {
    try {
      const track = await findInApi<Track>(`/tracks/${id}`);
      if (item.problem === UNSEEN) item.problem = undefined;
      return track;
    } catch (error) {
      const { status } = problemOf(error);
      if (status !== 401 && status !== 403) return item.track;
    }
    item.to("encoding", UNSEEN);
    await readerReturns();
  }
}

/** An ended session is seldom asked for, because each look would be refused until somebody has signed in. */
const readerReturns = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, SIGNED_OUT_LOOK_MS);
    window.addEventListener("focus", () => resolve(), { once: true });
    document.addEventListener("turbo:load", () => resolve(), { once: true });
  });
