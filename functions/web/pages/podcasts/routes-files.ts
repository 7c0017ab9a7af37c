import { hash } from "node:crypto";
import type { Context } from "hono";
import { findEnclosure } from "../../../../db/queries/podcast-feed.ts";
import { findSubject } from "../../../../db/queries/site-pages.ts";
import type { MediaGrant } from "../../../api/media/token.ts";
import { sendWholeMp3 } from "../../../api/media/whole-mp3.ts";
import { chaptersIn } from "../../../api/podcasts/chapters.ts";
import { presentedBy } from "../../../api/tracks/secret.ts";
import { readableByPages } from "../../../lib/http/cors.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { clientHas } from "../../../lib/http/etag.ts";
import { Routes } from "../../../lib/http/route.ts";
import { SITE_VISITOR } from "../../../ui/viewer.ts";
import { secretIn } from "./secret-path.ts";

/** {web_url}: a track's files at permanent URLs, for podcast programs and directories. */
export const feedFiles = new Routes();

feedFiles.page("/:user/:track/:file.mp3", (c) => sendAudio(c));
feedFiles.page("/:user/:track/:secret/:file.mp3", (c) => sendAudio(c));
feedFiles.page("/:user/:track/chapters.json", (c) => sendChapters(c));
feedFiles.page("/:user/:track/:secret/chapters.json", (c) => sendChapters(c));

/**
 * Sends the MP3 itself, as `audio.mp3` or under the track's name. A redirect to a signed URL would cost programs
 * another request, and those that store its target would fail once it expires.
 */
async function sendAudio(c: Context<AppEnv>): Promise<Response> {
  const { user = "", track = "", file } = c.req.param();
  if (file !== "audio.mp3" && file !== `${track}.mp3`) return notFound("Track");
  const facts = presentedBy(c.req, secretIn(c));
  // Only the primary knows at once that a secret was replaced.
  const db = facts.secretHash ? c.var.db : c.var.db.forVisitors();
  const found = (await findEnclosure(db, user, track, facts)) ?? notFound("Track");
  const grant: MediaGrant = {
    trackId: found.track,
    lease: found.media_prefix.split("/")[2] ?? "",
    rendition: "mp3",
    expiresAtS: 0,
    listenerId: null,
    private: found.private,
    secretPrefix: found.secret_prefix,
    openedBy: found.private ? Buffer.from(facts.secretHash ?? []).toString("base64url") : "",
  };
  const reply = await sendWholeMp3(c, grant, found);
  for (const [name, value] of Object.entries(readableByPages)) reply.headers.set(name, value);
  return reply;
}

/** https://podcasting2.org/docs/podcast-namespace/tags/chapters */
async function sendChapters(c: Context<AppEnv>): Promise<Response> {
  const { user = "", track = "" } = c.req.param();
  const named = { kind: "track", owner: user, permalink: track } as const;
  const facts = presentedBy(c.req, secretIn(c));
  const { track: found } = await findSubject(c.var.db, SITE_VISITOR, named, facts);
  const chapters = chaptersIn(found?.description ?? null, found?.duration_ms ?? 0);
  if (!found || chapters.length === 0) return notFound("Chapters");
  const text = JSON.stringify({ version: "1.2.0", chapters });
  // Weak, because networks compress it.
  const tag = `W/"${hash("sha256", text, "base64url").slice(0, 16)}"`;
  const headers = {
    "Cache-Control": found.sharing === "private" ? "private, no-cache" : "public, max-age=60",
    ETag: tag,
    ...readableByPages,
  };
  if (clientHas(c, tag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { "Content-Type": "application/json+chapters", ...headers } });
}
