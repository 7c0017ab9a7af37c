import * as z from "zod";
import type { TrackSharesRow } from "../../../db/queries/own-tracks.ts";
import type { Links } from "../../lib/http/links.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

export const SecretTokenBody = z
  .strictObject({
    kind: z.literal("secret-token"),
    token: z.string(),
    uri: z.url(),
    resource_uri: z.url().describe("URI of the track or playlist that the token opens."),
  })
  .meta({ id: "SecretToken" });

export const representSecret = (resourceUri: string, token: string): z.infer<typeof SecretTokenBody> => ({
  kind: "secret-token",
  token,
  uri: `${resourceUri}/secret-token`,
  resource_uri: resourceUri,
});

export const TrackShares = z
  .strictObject({ users: z.array(MiniUser), sharing_note: z.string().nullable() })
  .meta({ id: "SharedTo" });

export const representShares = (
  links: Links,
  { users, note }: TrackSharesRow,
): z.infer<typeof TrackShares> => ({
  users: users.map((user) => representMiniUser(user, links)),
  sharing_note: note,
});
