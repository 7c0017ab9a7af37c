import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import { playable } from "../../api/media/media-files.ts";
import { JSON_TYPE } from "../../attacks/raw-requests.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import type { StoredTrack } from "../../support/tracks.ts";

/** One successful request to measure. */
type Ask = () => Promise<Response>;

export interface Entry {
  ask: Ask;
  statements: number;
  /** Reason for a count other than one. */
  because?: string;
}

export let ana: Person;
export let track: StoredTrack;
export let ben: Person;
export let links: Required<Streams>;
export let waveform: string;

/** Creates the users before a test's first request. */
export async function meet(): Promise<void> {
  [ana, ben] = [await createUser({ plan: "artist" }), await createUser()];
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ])
    await sql("insert into followings (user_id, followee_id) values ($1, $2)", [one?.id, other?.id]);
  track = await playable(ana, { sharing: "private" });
  links = (await api.as(ana).get<Required<Streams>>(`/tracks/${track.id}/streams`)).body;
  waveform = (await api.as(ana).get<Track>(`/tracks/${track.id}`)).body.waveform_url ?? "";
}

const send =
  (method: string) =>
  (
    path: string,
    json?: unknown,
    headers: Record<string, string> = {},
    who: Person = ana,
  ): Promise<Response> =>
    fetch(path.startsWith("http") ? path : stack.urls.api + path, {
      method,
      headers: { Authorization: `OAuth ${who.token}`, ...(json !== undefined && JSON_TYPE), ...headers },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      redirect: "manual",
    });

export const [get, post, put, remove] = [send("GET"), send("POST"), send("PUT"), send("DELETE")];

export const STATIC = "says nothing that the database knows";

export const one = (ask: Ask): Entry => ({ ask, statements: 1 });
export const none = (because: string, ask: Ask): Entry => ({ ask, statements: 0, because });
export const several = (statements: number, because: string, ask: Ask): Entry => ({
  ask,
  statements,
  because,
});
