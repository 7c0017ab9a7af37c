import { expect, test } from "vitest";
import { read, sourcePaths, sqlPaths } from "../support/structure.ts";

/** Names that are also values or fields of the API, or parameters of the site. */
const OF_THE_API = ["client_credentials", "sign_up"];

/** Names for work that no request does alone: small batches, ids by time, races within one statement. */
const ALLOWED: Record<string, string[]> = {
  "test/auth/accounts/accounts-deletion.test.ts": ["erase_some"],
  "test/auth/oauth/authorize-flow.test.ts": ["decide_authorization"],
  "test/faults/classic-upload-faults.test.ts": ["erase_some"],
  "test/api/comments/comments-visibility.test.ts": ["next_id"],
  "test/api/feed/feed-future.test.ts": ["next_id"],
  "test/api/feed/feed.test.ts": ["id_created_at"],
  "test/api/feed/followed-posts.test.ts": ["next_id"],
  "test/lib/http/idempotency.test.ts": ["open_upload"],
  "test/api/favorites/favorites-and-reposts.test.ts": ["roll_up_counters"],
  "test/api/playlists/playlist-changes.test.ts": ["roll_up_counters"],
  "test/slow/connections-posts.test.ts": ["settle_connection_posts"],
  "test/encoding/pool.test.ts": ["hand_over_job", "job_turn", "lease_jobs"],
  "test/api/feed/posts.test.ts": ["next_id"],
  "test/auth/oauth/public-clients.test.ts": ["delete_app"],
  "test/faults/webhook-lanes.test.ts": ["mini_user"],
  "test/faults/recount.test.ts": ["recount_some", "roll_up_counters"],
  "test/api/specification/filters.test.ts": ["index_track"],
  "test/api/tracks/descriptions.ts": ["next_id"],
  "test/api/tracks/supersede.test.ts": ["count_plays"],
  "test/api/tracks/tracks-download.test.ts": ["roll_up_counters"],
  "test/api/webhooks/event-stream.test.ts": ["forget_stream_events"],
  "test/api/webhooks/webhook-receiver.ts": ["mini_user"],
  "test/api/webhooks/webhooks-apps.test.ts": ["end_access"],
  "test/slow/webhooks-delivery.test.ts": ["begin_webhook_delivery", "mini_user", "settle_webhook_delivery"],
  "test/api/webhooks/webhooks-events.test.ts": ["end_access"],
  "test/api/webhooks/webhooks-lifecycle.test.ts": ["begin_webhook_delivery", "mini_user"],
  "test/api/webhooks/webhooks.test.ts": ["mini_user"],
};

/** Names of two words and more, since a single one may be any English word. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\bfunction (?:public\.)?([a-z0-9]+(?:_[a-z0-9]+)+)\s*\(/gi)].map(
    ([, name = ""]) => name,
  );

const functions = new Set(sqlPaths().flatMap((path) => namesIn(read(path))));

const named = (text: string): string[] =>
  [...new Set(text.match(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g) ?? [])].filter(
    (word) => functions.has(word) && !OF_THE_API.includes(word),
  );

test("tests of behaviour name no function of the database, so that it may change", () => {
  const paths = sourcePaths().filter((path) =>
    /^test\/(?!bench\/|generators\/|stack\/|support\/|units\/).*\.ts$/.test(path),
  );
  const found = paths.flatMap((path) =>
    named(read(path)).flatMap((name) => (ALLOWED[path]?.includes(name) ? [] : [`${path}: ${name}`])),
  );
  expect(found).toEqual([]);
});

test("the check knows the functions and finds their names", () => {
  expect(functions.size).toBeGreaterThan(50);
  const [some = ""] = functions;
  expect(named(`sql("select ${some}($1)")`)).toEqual([some]);
});
