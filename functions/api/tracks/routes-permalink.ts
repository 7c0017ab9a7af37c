import { type AddressRow, changeTrackPermalink, findTrackAddress } from "../../../db/queries/addresses.ts";
import { supersedeTrack } from "../../../db/queries/own-tracks.ts";
import type { Env } from "../../lib/http/env.ts";
import { expectedVersions } from "../../lib/http/etag.ts";
import { Routes } from "../../lib/http/route.ts";
import { Permalink, representPermalink, TrackPermalinkBody } from "../users/permalinks.ts";
import { unwrap } from "./errors.ts";
import { SupersedingBody, TrackId } from "./input.ts";
import { representTrack, Track } from "./representation.ts";

/** A track's permalink, and the exchange of a track for a newer one. Owners only. */
export const trackPermalinks = new Routes();

const OTHERS = { 403: "The track is another user's." };

const represent = (env: Env, address: AddressRow) =>
  representPermalink(env, address, `${address.owner}/${address.permalink}`);

trackPermalinks.get(
  "/tracks/:id/permalink",
  {
    operationId: "getTrackPermalink",
    summary: "Get a track's permalink",
    description: "Owners only. Includes the former ones, which still lead to the track.",
    auth: "user",
    params: TrackId,
    replies: { 200: Permalink },
    errors: OTHERS,
  },
  async (c, { params }) => {
    const { address } = unwrap(await findTrackAddress(c.var.db, c.var.viewer, params.id));
    return c.json(represent(c.env, address));
  },
);

trackPermalinks.put(
  "/tracks/:id/permalink",
  {
    operationId: "updateTrackPermalink",
    summary: "Change a track's permalink",
    description:
      "Moves the track's page. The former address redirects for ever, also in `/resolve`, oEmbed, feeds and players. Until a track is first published its permalink follows the title, unless you chose one here.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    body: TrackPermalinkBody,
    accepts: ["json", "form"],
    precondition: "If-Match",
    replies: { 200: Permalink },
    errors: OTHERS,
  },
  async (c, { params: { id }, body: { permalink } }) => {
    const changed = await changeTrackPermalink(c.var.db, c.var.viewer, id, permalink, expectedVersions(c));
    return c.json(represent(c.env, unwrap(changed).address));
  },
);

trackPermalinks.post(
  "/tracks/:id/supersede",
  {
    operationId: "supersedeTrack",
    summary: "Let a track take the place of an older one",
    description:
      "Both are yours, and this one is `finished`. It takes over the older one's likes, reposts, comments, places in playlists, counts, permalinks, secret token and date of publication, and is public if either was. The older one is deleted; its id leads here. Its audio is lost. Repeating the request changes nothing.",
    auth: "user",
    scope: "tracks",
    isRepeatable: true,
    params: TrackId,
    body: SupersedingBody,
    accepts: ["json", "form"],
    replies: { 200: Track },
    errors: { 403: "A track is another user's, or was taken down.", 409: "The track is not `finished`." },
  },
  async (c, { params: { id }, body: { superseded_id: old } }) => {
    const { track } = unwrap(await supersedeTrack(c.var.db, c.var.viewer, id, old));
    return c.json(representTrack(c.env, track));
  },
);
