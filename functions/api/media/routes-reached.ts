import * as z from "zod";
import { addressOf } from "../../lib/http/address.ts";
import { notFound } from "../../lib/http/errors.ts";
import { Routes } from "../../lib/http/route.ts";
import { documentedAs } from "../../lib/text/fields.ts";
import { reachedMark } from "./listener.ts";
import { sendPlay } from "./play-report.ts";
import { readMediaToken, TokenInPath } from "./token.ts";

/** Players tell how far a play went, when it ends. The token names the track and the listener. */
export const reached = new Routes();

const Reached = z.object({
  quarter: z
    .string()
    .regex(/^[1-4]$/, "must be from 1 to 4")
    .transform(Number)
    .meta({
      ...documentedAs({ type: "integer", minimum: 1, maximum: 4 }),
      description: "The last quarter of the track whose end the play has passed.",
    }),
});

reached.post(
  "/media/:token/reached",
  {
    operationId: "reportReached",
    summary: "Report how far a play went",
    description:
      "For the owner's insights. Send it once, when the play ends. The address is that of a stream up to the token. However often it is reported, a listener's play counts once in any 30 minutes.",
    auth: "page",
    tag: "media",
    isRepeatable: true,
    params: TokenInPath,
    query: Reached,
    replies: { 204: "" },
  },
  (c, { params: { token }, query: { quarter } }) => {
    const grant = readMediaToken(c.env, token) ?? notFound("Media");
    if (grant.rendition === "waveform") return notFound("Media");
    // Previews end early.
    if (grant.rendition !== "preview") {
      const by = { userId: grant.listenerId, address: addressOf(c.req) };
      const mark = Buffer.from(reachedMark(c.env, grant.trackId, by)).toString("base64");
      sendPlay(c, { track: grant.trackId, mark, user: null, at: Date.now(), quarter });
    }
    return c.body(null, 204);
  },
);
