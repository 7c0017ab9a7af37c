import type { Playlist } from "../../functions/api/playlists/representation.ts";
import { createComment } from "../api/comments/comments.support.ts";
import { api } from "../support/api.ts";
import { bands, createPng } from "../support/images.ts";
import { operate } from "../support/operate.ts";
import type { Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { createRetryableTrack, createTrack } from "../support/tracks.ts";
import { finishedTrack } from "./finished-track.ts";

/** Fills the pages for `pictures.test.ts`. */

export const JAPANESE = "港の夜明け ～波の音と古い汽笛の記録、冬の朝に一人で聴いたもの～";
const HEBREW = "שחר בנמל: צלילי הגלים והצופר הישן";
export const LONG =
  "A very long title about an evening by the harbour, when the boats came home and nobody spoke";

/** The longest title there is, without a place to break it. */
const LONGEST = "Donaudampfschifffahrts".repeat(12).slice(0, 255);

/** Two people with everything that pages can show. Returns the pages of the first. */
export async function fill(ana: Person, ben: Person) {
  const described = {
    genre: "Folk",
    tag_list: 'harbour "field recording" 冬',
    description: "One evening.\n\nTwo.",
  };
  const made = [];
  for (const title of ["Harbour at dawn", JAPANESE, HEBREW, LONG])
    made.push(await finishedTrack(ana, { title, ...described }));
  const [track] = made;
  if (!track) throw new Error("There is no track");
  for (const [at, { id }] of made.entries()) {
    const form = new FormData();
    const picture = at
      ? await (await bands(900, 900 - 250 * at)).png().toBuffer()
      : await createPng(1400, 1400);
    form.set("track[artwork_data]", new Blob([new Uint8Array(picture)]), "cover.png");
    if (at < 3) await api.as(ana).put(`/tracks/${id}`, { raw: form });
    for (const [text, timestamp] of [
      ["What a harbour", 900],
      [HEBREW, 2500],
      [LONG.repeat(4), 4000],
    ] as const)
      await api.as(ben).post(`/tracks/${id}/comments`, { json: { comment: { body: text, timestamp } } });
    await api.as(ben).post(`/likes/tracks/${id}`);
    await api.as(ana).post(`/likes/tracks/${id}`);
    await api.as(ben).post(`/reposts/tracks/${id}`);
  }
  await sql("update tracks set playback_count = 1234567 where id = $1", [track.id]);
  await createTrack(ana, { title: "In the works", permalink: "waits" });
  await createRetryableTrack(ana, { title: "Broken", permalink: "broken" });
  await createTrack(ana, { title: LONGEST, permalink: "longest" });
  await createTrack(ana, { title: "Diary", permalink: "diary", sharing: "private" });
  const tracks = made.map(({ id }) => ({ id }));
  const sets = ["Evenings by the sea", JAPANESE].map((title) =>
    api.as(ana).post<Playlist>("/playlists", { json: { playlist: { title, sharing: "public", tracks } } }),
  );
  const [set, plain] = await Promise.all(sets);
  await api.as(ben).put(`/me/followings/${ana.id}`);
  await api.as(ana).put(`/me/followings/${ben.id}`);
  await finishedTrack(ben, { title: "An answer from Ben" });
  const address = "https://example.com/a/rather/long/path/for/a/webhook";
  const hook = await api.as(ana).post<{ id: number }>("/me/webhooks", {
    json: { url: address, events: ["follow.created"] },
  });
  // Pages show the site's webhooks only.
  const site = "(select id from apps where client_id = 'site')";
  await sql(`update webhooks set app_id = ${site} where id = $1`, [hook.body.id]);
  await fillLog(hook.body.id);
  await api.as(ana).put(`/playlists/${set?.body.id}/podcast`, { json: { podcast: { category: "Arts" } } });
  return { track, set: set?.body, plain: plain?.body, hook: hook.body.id };
}

/** Deliveries that arrived, failed and wait. */
async function fillLog(webhook: number) {
  const at = new Date().toISOString();
  const attempts = [
    { at, duration_ms: 10_000, response_code: null, failure: "timeout" },
    { at, duration_ms: 130, response_code: 503, failure: null },
  ];
  for (const [state, tried] of [
    ["delivered", attempts.slice(1)],
    ["failed", attempts],
    ["pending", []],
  ])
    await sql(
      `insert into webhook_deliveries (webhook_id, event, data, state, attempts, tries, next_attempt_at)
       select w.id, 'follow.created', jsonb_build_object('user', to_jsonb(u)), $2, $3::jsonb,
         jsonb_array_length($3::jsonb), case when $2 = 'pending' then now() + interval '1 hour' end
       from webhooks w join lateral (
         select id, permalink, username, avatar_version, updated_at from users where id = w.user_id) u on true
       where w.id = $1`,
      [webhook, state, JSON.stringify(tried)],
    );
}

/** Gives operators something to look after. */
export async function fillOperation(ana: Person, ben: Person, track: { id: number }) {
  await sql(
    `insert into mails (kind, recipient, state, next_attempt_at, failure, expires_at)
     select 'report', $1, 'failed', null, $2, 'infinity' from generate_series(1, 3)`,
    [`${LONG.replaceAll(/\W+/g, "-")}@example.com`, "550 5.1.1 Recipient address rejected: user unknown"],
  );
  for (const [kind, id, url, reason] of [
    ["track", track.id, `${stack.urls.web}/${ana.username}/harbour-at-dawn`, "copyright"],
    ["user", ben.id, `${stack.urls.web}/${ben.username}`, "spam"],
    ["page", null, `${stack.urls.web}/terms`, "other"],
  ])
    await sql(
      "insert into reports (target_kind, target_id, url, reason, details) values ($1, $2, $3, $4, $5)",
      [kind, id, url, reason, `${LONG}. ${LONG}.`],
    );
  await sql(
    "insert into dead_letters (message_id, queue, body) select gen_random_uuid()::text, queue, $1 from unnest($2::text[]) queue",
    [
      JSON.stringify({ kind: "encode", track: track.id, attempt: 3 }),
      ["jobs", "plays", "webhooks", "mails", "unknown"],
    ],
  );
}

/** Removes a set and a comment, and lets the owner of the set answer. Returns what the pages are about. */
export async function fillRemovals(ana: Person, ben: Person, track: { id: number }) {
  const made = await api.as(ana).post<Playlist>("/playlists", {
    json: { playlist: { title: LONG, sharing: "public", tracks: [{ id: track.id }] } },
  });
  const because = ["--reason", `${LONG}.`];
  const { id: removal } = await operate<{ id: number }>(
    "set remove",
    "--set",
    String(made.body.id),
    ...because,
  );
  const [gone, comment] = [
    await createComment(ana, track, { body: "Buy this" }),
    await createComment(ben, track, { body: LONG }),
  ];
  const unanswered = await operate<{ id: number }>(
    "comment remove",
    "--comment",
    String(gone.id),
    ...because,
  );
  await sql("insert into counter_notices (removal_id, statement, name, contact) values ($1, $2, $3, $4)", [
    removal,
    `${LONG}. ${LONG}.`,
    "Ana Example",
    "1 Example Street, 10000 Example, +1 555 0100",
  ]);
  return { set: made.body, removal, comment: comment.id, unanswered: unanswered.id };
}

/** Days of every kind, some without a measurement, and announcements in each state. */
export async function fillStatus(): Promise<void> {
  await sql(
    `insert into status_days (part, day, works_s, late_s, fails_s)
     select part, (now() at time zone 'UTC')::date - n, 86400 - late - fails, late, fails
     from unnest(array['database', 'storage', 'encoding', 'webhooks', 'posts', 'mails']) with ordinality p (part, at),
       generate_series(1, 70) n,
       lateral (select case when (n + 7 * at) % 23 = 0 then 5400 else 0 end as late,
         case when (n + 5 * at) % 31 = 0 then 780 else 0 end as fails) trouble
     on conflict do nothing`,
  );
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const announce = (title: string, ...rest: string[]) =>
    operate<{ id: number }>("incident open", "--title", title, "--text", `${LONG}.\n\n${LONG}.`, ...rest);
  const over = await announce("Uploads were slow", "--part", "storage", "--begins", at(-3));
  await operate("incident update", "--id", String(over.id), "--text", "The disks are replaced.");
  await operate("incident close", "--id", String(over.id), "--text", "All is well.");
  await announce("Mails wait", "--part", "mails", "--part", "webhooks");
  await announce(LONG, "--begins", at(7), "--ends", at(7.1));
}

/** Personal tokens that were used and not. */
export const fillTokens = ({ id }: Person) =>
  sql(
    `insert into sessions (app_id, user_id, scope, name, created_at, expires_at, last_used_at)
     select a.id, $1, t.scope, t.name, now() - interval '10 days', now() + interval '20 days', used
     from apps a, (values ('read', 'Nightly statistics on the home server', now()),
       ('read tracks playlists social profile connections webhooks', $2, null), ('*', 'Everything', now() - interval '4 days')
     ) t (scope, name, used) where a.client_id = 'personal'`,
    [id, LONG],
  );
