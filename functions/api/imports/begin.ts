import type { Context } from "hono";
import {
  findImport,
  type ImportRow,
  openImport,
  startImport,
  takeImport,
} from "../../../db/queries/podcast-imports.ts";
import type { Show } from "../../../db/schema/podcast-imports.ts";
import type { Env, UserEnv } from "../../lib/http/env.ts";
import { conflict, forbidden, invalid, notFound, sessionEnded } from "../../lib/http/errors.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { queueImports } from "../../lib/http/queue-messages.ts";
import { seal } from "../../lib/security/sealing.ts";
import { newTypedCode, typedCodeHash } from "../../lib/security/typed-code.ts";
import { SANITIZER_VERSION } from "../../lib/text/html.ts";
import { romanized } from "../../lib/text/permalink.ts";
import { newSecret } from "../tracks/secret.ts";
import { notesOf } from "./notes.ts";
import { arrange, fetchFeed } from "./read-feed.ts";

/** Wrong codes until the feed must be read again. 80 bits are not guessed in so many. */
const MOST_TRIES = 10;

/** Stands in a feed to show that it is this user's. It is no secret: only the feed's owner can write it there. */
export const proofText = (userId: number): string => `soundpost-verify-${userId}`;

/** Reads a feed and mails a code to its owner. */
export async function beginImport(c: Context<UserEnv>, feedUrl: string): Promise<ImportRow> {
  const { db, viewer } = c.var;
  const { host } = new URL(feedUrl);
  const ownHost = new URL(c.env.WEB_URL).host;
  if (host === ownHost) invalid("podcast_import[feed_url]: is a feed of this service");
  const taken = (await takeImport(db, viewer, budgetOf(c.env, "podcast-imports"))) ?? sessionEnded();
  if (!taken.confirmed) forbidden("Confirm your e-mail address first");
  settleBudget(c, "podcast-imports", { spent: taken.spent });
  const { show, episodes } = await fetchFeed(c.env, feedUrl);
  const arranged = arrange(episodes, ownHost);
  if (arranged.length === 0) invalid("podcast_import[feed_url]: the feed has no episodes");
  const code = newTypedCode();
  const opened = await openImport(
    db,
    viewer,
    // No host imports a podcast that is locked, so its owner need not hear of it.
    { feed_url: feedUrl, title: show.title, show, owner_email: show.locked ? null : show.owner_email },
    { all: arranged },
    { hash: typedCodeHash("podcast", code) ?? "", sealed: seal(c.env, code) },
  );
  return (await findImport(db, viewer, opened.id)) ?? sessionEnded();
}

/** Starts an import that is proven by the mailed code, or without one by the text in the feed. */
export async function confirmImport(
  c: Context<UserEnv>,
  id: number,
  code: string | undefined,
): Promise<ImportRow> {
  const { db, viewer } = c.var;
  const found = (await findImport(db, viewer, id)) ?? notFound("Import");
  if (found.state !== "running") {
    const { show } = found;
    if (show.locked)
      conflict("The podcast is locked: unlock it at its present host, then read the feed again");
    const codeHash = code === undefined ? undefined : typedCodeHash("podcast", code);
    const inFeed = code === undefined && found.state === "preview" && (await isInFeed(c.env, found));
    if (code === undefined && !inFeed && found.state === "preview")
      invalid(`code: is missing, and the feed does not hold ${proofText(viewer.userId)} yet`);
    const proof = { codeHash: codeHash ?? "", inFeed, mostTries: MOST_TRIES };
    const { outcome } = await startImport(db, viewer, id, proof, await newSetOf(c.env, show));
    if (outcome !== "done") REFUSALS[outcome]();
  }
  c.executionCtx.waitUntil(queueImports(c.env, [id]));
  return (await findImport(db, viewer, id)) ?? sessionEnded();
}

const REFUSALS = {
  unknown: () => notFound("Import"),
  ended: () => conflict("The import has ended; read the feed again"),
  too_many_tries: () => conflict("Too many wrong codes; read the feed again for a new one"),
  wrong_code: () => invalid("code: is not the one that we mailed"),
  another_runs: () => conflict("Another podcast is moving in; wait until it is here, or stop it"),
};

async function isInFeed(env: Env, { feed_url, user_id }: ImportRow): Promise<boolean> {
  const { proofs } = await fetchFeed(env, feed_url);
  const expected = new RegExp(`\\b${proofText(user_id)}\\b`);
  return proofs.some((text) => expected.test(text));
}

async function newSetOf(env: Env, show: Show) {
  return {
    set: {
      title: show.title,
      description: notesOf(show.description),
      sanitizer_version: SANITIZER_VERSION,
      guid: show.guid,
    },
    podcast: {
      author: show.author,
      owner_name: show.owner_name,
      owner_email: show.owner_email,
      category: show.category,
      language: show.language,
      explicit: show.explicit,
      podcast_type: show.podcast_type,
      locked: true,
    },
    permalink: (await romanized(show.title)) || "podcast",
    ...newSecret(env).stored,
  };
}
