import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import type { SignedIn } from "./caller.ts";
import { TrackColumns } from "./track-columns.ts";

const Discovery = () =>
  z.strictObject({
    /** The tracks of both lists, each once. */
    tracks: TrackColumns(),
    newest: z.array(z.number()),
    popular: z.array(z.number()),
    genres: z.array(z.string()),
    /** Whether the reader's session lives. */
    is_signed_in: z.boolean(),
  });
type Discovery = ReplyOf<typeof Discovery>;

interface DiscoveryQuery {
  country: string | undefined;
  /** Default: all. */
  genre: string | undefined;
  /** Most tracks of each list. */
  newest: number;
  popular: number;
  held: string;
}

/** Finds tracks that play for everybody. A session that has ended reads as a visitor. */
export const discoverTracks = (
  db: Database,
  reader: SignedIn | undefined,
  { country, genre, newest, popular, held }: DiscoveryQuery,
): Promise<Discovery> =>
  db.call("discover_tracks", Discovery, {
    session: reader?.sessionId ?? null,
    user: reader?.userId ?? null,
    country: country ?? null,
    genre: genre ?? null,
    newest,
    popular,
    held,
  });
