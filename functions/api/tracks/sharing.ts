import * as z from "zod";
import type { TrackSharesRow } from "../../../db/queries/own-tracks.ts";
import { SECRET_TOKEN } from "../../lib/http/document/example-secrets.ts";
import type { Links } from "../../lib/http/links.ts";
import { kindOf } from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

export const SecretTokenBody = z
  .strictObject({
    kind: kindOf("secret-token"),
    token: z.string().meta(about("The secret that opens it.", SECRET_TOKEN)),
    uri: z
      .url()
      .meta(
        about(
          "Address of the token in the API.",
          "https://api.soundpost.example/tracks/338914811904001/secret-token",
        ),
      ),
    resource_uri: z
      .url()
      .meta(
        about(
          "URI of the track or playlist that the token opens.",
          "https://api.soundpost.example/tracks/338914811904001",
        ),
      ),
  })
  .meta({ id: "SecretToken" });

export const representSecret = (resourceUri: string, token: string): z.infer<typeof SecretTokenBody> => ({
  kind: "secret-token",
  token,
  uri: `${resourceUri}/secret-token`,
  resource_uri: resourceUri,
});

export const TrackShares = z
  .strictObject({
    users: z.array(MiniUser).describe("The people it is shared with."),
    sharing_note: z
      .string()
      .nullable()
      .meta(
        about(
          "A message to the people it is shared with; null without one.",
          "Please tell me what you think",
        ),
      ),
  })
  .meta({ id: "SharedTo" });

export const representShares = (
  links: Links,
  { users, note }: TrackSharesRow,
): z.infer<typeof TrackShares> => ({
  users: users.map((user) => representMiniUser(user, links)),
  sharing_note: note,
});
