import { hash } from "node:crypto";
import type { Context } from "hono";
import { findChapters } from "../../../../db/queries/chapters.ts";
import { findEnclosure } from "../../../../db/queries/podcast-feed.ts";
import { findTranscript, trackOfName } from "../../../../db/queries/transcripts.ts";
import type { MediaGrant } from "../../../api/media/token.ts";
import { sendWholeMp3 } from "../../../api/media/whole-mp3.ts";
import { CHAPTERS_VERSION, chapterInFile } from "../../../api/podcasts/chapters.ts";
import { openedChapters, openedCues } from "../../../api/podcasts/representation-files.ts";
import {
  TRANSCRIPT_FORMATS,
  TRANSCRIPT_TYPES,
  type TranscriptFormat,
  transcriptFile,
} from "../../../api/podcasts/transcript-files.ts";
import { presentedBy } from "../../../api/tracks/secret.ts";
import { readableByPages } from "../../../lib/http/cors.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { clientHas } from "../../../lib/http/etag.ts";
import { Routes } from "../../../lib/http/route.ts";
import { SITE_VISITOR } from "../../../ui/viewer.ts";
import { toPresentAddress } from "../permalinks/present-address.ts";
import { readable } from "./readable.ts";
import { secretIn } from "./secret-path.ts";

/** {web_url}: a track's files at permanent URLs, for podcast programs and directories. */
export const feedFiles = new Routes();

feedFiles.page("/:user/:track/:file.mp3", (c) => sendAudio(c));
feedFiles.page("/:user/:track/:secret/:file.mp3", (c) => sendAudio(c));
feedFiles.page("/:user/:track/:textFile", (c) => sendTextFile(c));
feedFiles.page("/:user/:track/:secret/:textFile", (c) => sendTextFile(c));

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
  const renamed = toPresentAddress(c, { user, track }, { user: found.owner, track: found.permalink });
  if (renamed) return readable(renamed);
  const grant: MediaGrant = {
    trackId: found.track,
    lease: found.media_prefix.split("/")[2] ?? "",
    rendition: "mp3",
    expiresAtS: 0,
    listenerId: null,
    private: found.private,
    secretPrefix: found.secret_prefix,
    openedBy: found.private ? Buffer.from(facts.secretHash ?? []).toString("base64url") : "",
    from: { app: "feed" },
  };
  return readable(await sendWholeMp3(c, grant, found));
}

/** https://podcasting2.org/docs/podcast-namespace/tags/chapters */
async function sendChapters(c: Context<AppEnv>): Promise<Response> {
  const found = await findChapters(c.var.db, SITE_VISITOR, nameIn(c), presentedBy(c.req, secretIn(c)));
  const { chapters } = openedChapters(found);
  if (!found || chapters.length === 0) return notFound("Chapters");
  const text = JSON.stringify({
    version: CHAPTERS_VERSION,
    chapters: chapters.map((chapter) => chapterInFile(c.env, chapter)),
  });
  return sendText(c, text, { type: "application/json+chapters", isPrivate: found.private });
}

/** https://podcasting2.org/docs/podcast-namespace/tags/transcript */
async function sendTranscript(c: Context<AppEnv>, format: TranscriptFormat): Promise<Response> {
  const found = await findTranscript(c.var.db, SITE_VISITOR, nameIn(c), presentedBy(c.req, secretIn(c)));
  const text = transcriptFile(format, openedCues(found));
  const type = TRANSCRIPT_TYPES[format];
  return sendText(c, text, { type: `${type}; charset=utf-8`, isPrivate: found?.private ?? true });
}

function sendTextFile(c: Context<AppEnv>): Promise<Response> {
  const { textFile } = c.req.param();
  const format = TRANSCRIPT_FORMATS.find((each) => textFile === `transcript.${each}`);
  return format ? sendTranscript(c, format) : sendChapters(c);
}

function nameIn(c: Context<AppEnv>) {
  const { user = "", track = "" } = c.req.param();
  return trackOfName({ owner: user, permalink: track });
}

function sendText(
  c: Context<AppEnv>,
  text: string,
  { type, isPrivate }: { type: string; isPrivate: boolean },
) {
  // Weak, because networks compress it.
  const tag = `W/"${hash("sha256", text, "base64url").slice(0, 16)}"`;
  const headers = {
    "Cache-Control": isPrivate ? "private, no-cache" : "public, max-age=60",
    ETag: tag,
    ...readableByPages,
  };
  if (clientHas(c, tag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { "Content-Type": type, ...headers } });
}
