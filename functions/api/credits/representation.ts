import * as z from "zod";
import { ID_EPOCH_MS, IDS_PER_MS } from "../../../db/queries/caller.ts";
import type { CreditRow } from "../../../db/queries/credits.ts";
import type { Env } from "../../lib/http/env.ts";
import { pageOf } from "../../lib/http/paging.ts";
import { kindOf } from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";
import { CreditState, TrackArtist } from "../tracks/artists.ts";
import { representTrack, Track } from "../tracks/representation.ts";

const Credit = z
  .strictObject({
    kind: kindOf("credit"),
    state: CreditState.describe("Your answer. Others see that you are the artist once it is `accepted`."),
    asked_at: z.iso.datetime().meta(about("When the owner named you, RFC 3339.", "2026-11-23T12:00:00.000Z")),
    roles: z
      .array(TrackArtist.pick({ name: true, role: true }))
      .describe("Your names and roles on the track."),
    track: Track.describe("The track. Its id is the id of the credit."),
  })
  .meta({ id: "Credit" });

export type Credits = z.infer<typeof Credit>[];
export const Credits = z.union([z.array(Credit), pageOf(Credit, "me/credits")]).meta({ id: "Credits" });

export const representCredit = (
  env: Env,
  { id, answer, roles, track }: CreditRow,
): z.infer<typeof Credit> => ({
  kind: "credit",
  state: answer,
  asked_at: new Date(ID_EPOCH_MS + Math.floor(id / IDS_PER_MS)).toISOString(),
  roles,
  track: representTrack(env, track),
});
