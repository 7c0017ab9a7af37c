import type { TrackBody, TrackNow } from "../../db/queries/tracks.ts";
import { Remembered } from "../http/cache.ts";
import type { Env } from "../http/env.ts";
import { TaggedText } from "../http/etag.ts";
import { asTrack } from "./represent.ts";

/** What was made of a track, and of what. */
interface Shown {
  now: TrackNow;
  /** The database's word for it, which lists have not. */
  state: string | undefined;
  text: TaggedText;
}

/** A track as an isolate keeps it: for who does not own it, so nothing in it is anybody's own. */
export class KeptTrack {
  readonly version: string;
  /** With what is made of it. */
  readonly bytes: number;
  readonly #body: TrackBody;
  #last: Shown | undefined;

  constructor(version: string, body: TrackBody) {
    this.version = version;
    this.#body = body;
    this.bytes = bytesOf(body);
  }

  /** Not restricted to some countries. */
  get isEverywhere(): boolean {
    return this.#body.available_country_codes === null;
  }

  /** As it was shown last. */
  get last(): Shown | undefined {
    return this.#last;
  }

  /** Its representation now and for this reader: most were made before. */
  textFor(env: Env, now: TrackNow, state?: string): TaggedText {
    const known = this.#last && isSame(this.#last.now, now) ? this.#last : undefined;
    const text = known?.text ?? this.#represent(env, now);
    this.#last = { now, state: state ?? known?.state, text };
    return text;
  }

  #represent(env: Env, now: TrackNow): TaggedText {
    const own = { owned: false, paywall: null, secret_hash: "", secret_sealed: null, encoding: null };
    const track = { ...this.#body, ...now, ...own };
    return new TaggedText(JSON.stringify(asTrack(env, track)), track.updated_at);
  }
}

const isSame = (a: TrackNow, b: TrackNow): boolean =>
  a.access === b.access &&
  a.user_favorite === b.user_favorite &&
  a.user_playback_count === b.user_playback_count &&
  a.comment_count === b.comment_count &&
  a.download_count === b.download_count &&
  a.playback_count === b.playback_count &&
  a.favoritings_count === b.favoritings_count &&
  a.reposts_count === b.reposts_count;

/** Of an object of its fields, and of a representation without its texts. */
const BODY_BYTES = 1_000;
const REST_CHARS = 1_500;

/** Two bytes a character, as text outside Latin takes; all of it once in the body and once in its representation. */
function bytesOf(body: TrackBody): number {
  let chars = REST_CHARS;
  for (const value of Object.values(body)) if (typeof value === "string") chars += value.length;
  return BODY_BYTES + 4 * chars;
}

/** Of others' public tracks, some 2,000 usual ones; who may have which is the statement's word each time. */
const kept = new Remembered<number, KeptTrack>({
  maxBytes: 16 * 2 ** 20,
  maxEntryBytes: 64 * 2 ** 10,
  bytesOf: (_id, track) => track.bytes,
});

export const keptTrack = (id: number): KeptTrack | undefined => kept.get(id);

/** `body` is what the database sent, which leaves out what it was told is held. */
export function keep(
  id: number,
  held: KeptTrack | undefined,
  version: string,
  body: TrackBody | null | undefined,
): KeptTrack {
  const track = body ? new KeptTrack(version, body) : held;
  if (!track) throw new Error("The database left out a body that was not held");
  kept.set(id, track);
  return track;
}
