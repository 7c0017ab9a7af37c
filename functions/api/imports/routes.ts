import type { Context } from "hono";
import type * as z from "zod";
import { listImportEpisodes, retryEpisode } from "../../../db/queries/import-episodes.ts";
import { cancelImport, findImport, listImports } from "../../../db/queries/podcast-imports.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { conflict, notFound } from "../../lib/http/errors.ts";
import { nextPage, Paging, readPosition, sendCollection, sendPageById } from "../../lib/http/paging.ts";
import { queueImports } from "../../lib/http/queue-messages.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { beginImport, confirmImport } from "./begin.ts";
import { ConfirmationBody, ImportEpisodeId, ImportId, NewImportBody } from "./input.ts";
import {
  ImportEpisodes,
  importUri,
  PodcastImport,
  PodcastImports,
  representImport,
  representImportEpisode,
} from "./representation.ts";

/** Podcasts that move in from other hosts. */
export const imports = new Routes();

imports.get(
  "/me/podcast-imports",
  {
    operationId: "listPodcastImports",
    summary: "List your imports of podcasts, newest first",
    description: "Previews that nobody confirms are forgotten after a week.",
    auth: "user",
    query: Paging,
    replies: { 200: PodcastImports },
  },
  (c, { query }) =>
    sendPageById(c, query, {
      list: "me/podcast-imports",
      find: ({ before, limit }) => listImports(c.var.db, c.var.viewer, before, limit),
      represent: (row) => representImport(c.env, row),
    }),
);

imports.post(
  "/me/podcast-imports",
  {
    operationId: "createPodcastImport",
    summary: "Read a podcast's feed, to move it in",
    description:
      "Reads the feed and shows what would come: nothing is moved yet. A code is mailed to the owner's address in the feed (`podcast:locked`'s `owner`, else `itunes:email`); confirm the import with it. The newest 500 episodes with audio come along. A new preview replaces the last one.",
    auth: "user",
    scope: "tracks",
    body: NewImportBody,
    accepts: ["json", "form"],
    replies: { 201: PodcastImport },
    errors: {
      403: "Your e-mail address is not confirmed.",
      429: "Too many feeds in an hour.",
    },
  },
  async (c, { body }) => {
    const made = await beginImport(c, body.podcast_import.feed_url);
    return c.json(representImport(c.env, made), 201, { Location: importUri(c.env, made.id) });
  },
);

imports.get(
  "/me/podcast-imports/:id",
  {
    operationId: "getPodcastImport",
    summary: "Get an import of a podcast",
    description: "Counts its episodes by state. While it is `running`, ask every few seconds.",
    auth: "user",
    params: ImportId,
    replies: { 200: PodcastImport },
  },
  async (c, { params: { id } }) =>
    c.json(representImport(c.env, (await findImport(c.var.db, c.var.viewer, id)) ?? notFound("Import"))),
);

imports.get(
  "/me/podcast-imports/:id/episodes",
  {
    operationId: "listPodcastImportEpisodes",
    summary: "List the episodes of an import, newest first",
    description: "Includes those that are left out, with the reason. An unknown import has none.",
    auth: "user",
    params: ImportId,
    query: Paging,
    replies: { 200: ImportEpisodes },
  },
  (c, { params: { id }, query }) => sendEpisodes(c, id, query),
);

imports.post(
  "/me/podcast-imports/:id/confirm",
  {
    operationId: "confirmPodcastImport",
    summary: "Prove that a podcast is yours, and start its import",
    description:
      "Send the mailed code, or put `proof_text` into the feed and send none. The playlist is made at once, public, with the podcast's own GUID. Its files are fetched in the background, one at a time from each server, and count against your quota like uploads. Episodes keep their guids, dates and notes, and are published silently: neither followers nor webhooks hear of them. Repeating it is harmless.",
    auth: "user",
    scope: "tracks",
    isRepeatable: true,
    params: ImportId,
    body: ConfirmationBody,
    accepts: ["json", "form"],
    replies: { 200: PodcastImport },
    errors: {
      409: "The podcast is locked, the import has ended, another one runs, or too many codes were wrong.",
    },
  },
  async (c, { params: { id }, body }) =>
    c.json(representImport(c.env, await confirmImport(c, id, body.code))),
);

imports.post(
  "/me/podcast-imports/:id/episodes/:episodeId/retry",
  {
    operationId: "retryPodcastImportEpisode",
    summary: "Fetch a failed episode again",
    description: "A track whose encode failed is retried by `retryTrack`.",
    auth: "user",
    scope: "tracks",
    isRepeatable: true,
    params: ImportEpisodeId,
    replies: { 200: StatusBody },
    errors: { 409: "Another import runs." },
  },
  async (c, { params: { id, episodeId } }) => {
    const waits = (await retryEpisode(c.var.db, c.var.viewer, id, episodeId)) ?? notFound("Episode");
    if (!waits) conflict("Another podcast is moving in, or this import was stopped");
    c.executionCtx.waitUntil(queueImports(c.env, [id]));
    return c.json(statusBody(200));
  },
);

imports.delete(
  "/me/podcast-imports/:id",
  {
    operationId: "deletePodcastImport",
    summary: "Stop an import",
    description: "No further episode is fetched. The playlist and the tracks that are there stay.",
    auth: "user",
    scope: "tracks",
    params: ImportId,
    replies: { 200: StatusBody },
  },
  async (c, { params: { id } }) => {
    if (!(await cancelImport(c.var.db, c.var.viewer, id))) notFound("Import");
    return c.json(statusBody(200));
  },
);

async function sendEpisodes(
  c: Context<UserEnv>,
  id: number,
  { limit, linked_partitioning, cursor }: z.output<typeof Paging>,
): Promise<Response> {
  const list = `me/podcast-imports/${id}/episodes`;
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
  const after = Number(readPosition(scope, cursor) ?? 0);
  const rows = await listImportEpisodes(c.var.db, c.var.viewer, id, after, limit + 1);
  const last = rows[limit - 1];
  const next =
    rows.length > limit && last ? nextPage(scope, String(last.position), c.req.url, c.env) : undefined;
  return sendCollection(
    c,
    linked_partitioning,
    rows.slice(0, limit).map((row) => representImportEpisode(c.env, row)),
    next,
  );
}
