import { listRecentPlays, playTrack, type RecentPosition } from "../../../db/queries/plays.ts";
import { addressOf } from "../../lib/http/address.ts";
import { countryOf } from "../../lib/http/country.ts";
import { referrerOf } from "../../lib/http/referrer.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { listenerCode, playMark } from "../media/listener.ts";
import { REFUSALS } from "../tracks/errors.ts";
import { refuseUnready } from "../tracks/find.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { TrackListQuery, Tracks } from "../tracks/list.ts";
import { sendTrackList } from "../tracks/ordered-page.ts";
import { presentedBy } from "../tracks/secret.ts";

export const plays = new Routes();

plays.post(
  "/tracks/:id/plays",
  {
    operationId: "playTrack",
    summary: "Report that a track is being played",
    description:
      "For players that do not fetch our streams: fetching a stream counts by itself. However often it is reported, a listener's " +
      "play of a track counts once in any 30 minutes.",
    auth: "app",
    scope: "read",
    params: TrackId,
    query: SecretToken,
    replies: { 200: StatusBody },
    errors: { 403: "You may not play the track." },
  },
  async (c, { params: { id }, query }) => {
    const by = { userId: c.var.viewer.userId, address: addressOf(c.req) };
    const presented = presentedBy(c.req, query.secret_token);
    const played = await playTrack(c.var.db, c.var.viewer, id, presented, {
      mark: playMark(c.env, id, by),
      listener: listenerCode(c.env, by),
      referrer: referrerOf(c.req, c.env) ?? null,
    });
    if (played.outcome === "not_ready") return refuseUnready(played.state);
    return played.outcome === "done" ? c.json(statusBody(200)) : REFUSALS[played.outcome]();
  },
);

plays.get(
  "/me/recently-played/tracks",
  {
    operationId: "listRecentlyPlayedTracks",
    summary: "List tracks that you played, latest play first",
    description:
      "The last 100 tracks, each once. Takes the filters of `/tracks`. A search does not change the order; `sort` uses " +
      "the time of the play.",
    auth: "user",
    query: TrackListQuery,
    replies: { 200: Tracks },
  },
  (c, { query }) =>
    sendTrackList<RecentPosition>(c, query, {
      name: "me/recently-played",
      of: "User",
      ask: (asked) => listRecentPlays(c.var.db, c.var.viewer, countryOf(c.req), asked),
    }),
);
