import { expect } from "vitest";
import { type PlayedBy, playMark } from "../../../functions/api/media/listener.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import { api } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { asFront, runCron, sql, stack } from "../../support/stack.ts";

/** A user is the same listener at any address. */
export const by = ({ id }: Pick<Person, "id">): PlayedBy => ({ userId: id, address: "" });

export const markOf = (track: number, who: PlayedBy) => Buffer.from(playMark(stack.secrets, track, who));

/** A queue message about a play this many minutes ago. */
export const played = (track: number, who: PlayedBy, minutesAgo = 0) => ({
  track,
  mark: markOf(track, who).toString("base64"),
  user: who.userId,
  at: Date.now() - minutesAgo * 60_000,
});

export const playsOf = async (owner: Person, id: number): Promise<number | null> =>
  (await api.as(owner).get<Track>(`/tracks/${id}`)).body.playback_count;

/** Polls, because plays pass through the queue. */
export const expectPlays = (owner: Person, id: number, plays: number) =>
  expect.poll(() => playsOf(owner, id)).toBe(plays);

/** Moves the listener's counted plays into the past. */
export const letPass = (minutes: number, track: number, who: PlayedBy) =>
  sql("update play_marks set counted_at = counted_at - make_interval(mins => $2) where mark = $1", [
    markOf(track, who),
    minutes,
  ]);

export const linksOf = async (who: { token: string }, id: number, query = "") =>
  (await api.as(who).get<Required<Streams>>(`/tracks/${id}/streams${query}`)).body;

export const firstSegment = (links: Required<Streams>) => new URL("0.m4s", links.hls_aac_96_url).href;

/** Requests at the Worker's own port, where the test sets the client's address. */
export const from = (
  address: string,
  url: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
) => asFront(url.replace(stack.urls.api, ""), { ...init.headers, "CF-Connecting-IP": address }, init);

const isPending = async (id: number) =>
  (await sql("select 1 from counter_deltas where subject_id = $1 limit 1", [id])).length > 0;

/** A roll-up skips locked rows, which the next one includes. */
export const rolledUp = (id: number) =>
  expect
    .poll(async () => {
      await runCron("*/5 * * * *");
      return isPending(id);
    })
    .toBe(false);
