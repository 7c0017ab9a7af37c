import type { Playlist } from "../../functions/api/playlists/representation.ts";
import { api } from "../support/api.ts";
import { bands, createPng } from "../support/images.ts";
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
