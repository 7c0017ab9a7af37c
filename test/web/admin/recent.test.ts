import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { threeHosts } from "../site/three-hosts.ts";
import { operatorAt } from "./admin.support.ts";

const service = await threeHosts();

test("an operator sees who did much lately, and suspends them with a reason", async () => {
  const { browser } = await operatorAt(service);
  const [owner, spammer] = [await createUser(), await createUser()];
  const track = await createPlayableTrack(owner);
  for (let sent = 0; sent < 12; sent++)
    await api
      .as(spammer)
      .post(`/tracks/${track.id}/comments`, { json: { comment: { body: "Buy", timestamp: 1 } } });
  await createTrack(spammer);
  // So many that nobody of another file comes first.
  await sql(
    `insert into reports (target_kind, url, reason, details, reporter_id, state)
     select 'page', 'x', 'spam', '', $1, 'dismissed' from generate_series(1, 200)`,
    [spammer.id],
  );
  await sql(
    `update reports set id = id - (2 * 3600000::bigint << 12)
     where id = any (array(select id from reports where reporter_id = $1 limit 50))`,
    [spammer.id],
  );
  for (const [hours, reports] of [
    [1, 150],
    [24, 200],
  ]) {
    const page = await browser.get("web", `/admin/recent?hours=${hours}`);
    const words = `12 comments, 1 upload, ${reports} reports</p><p class="hint">Signed up meanwhile`;
    expect(page.queries).toBe(1);
    expect(page.html).toContain(`${spammer.username}</a></strong><p class="hint">${words}`);
  }
  const suspend = `/admin/users/${spammer.id}/suspend`;
  expect((await browser.submit("/admin/recent", suspend, { reason: "" })).status).toBe(422);
  const { location } = await browser.submit("/admin/recent", suspend, { reason: "Spam" });
  expect(location?.pathname).toBe("/admin/recent");
  expect((await api.as(spammer).get("/me")).status).toBe(401);
  expect((await browser.get("web", "/admin/recent?hours=24")).html).not.toContain(suspend);
});

test("addresses come from budgets alone, with what they counted and no account", async () => {
  const { browser } = await operatorAt(service);
  const address = "198.51.100.77";
  await sql(
    `insert into budgets (bucket, taken, ends_at) values ($1, 7, now() + interval '30 minutes'),
       ($2, 2, now() + interval '30 minutes'), ($3, 9, now() - interval '1 minute')`,
    [`sign-ups ${address}`, `reports ${address}`, "sign-ups 198.51.100.78"],
  );
  const { html } = await browser.get("web", "/admin/recent");
  expect(html).toContain(`<dt>${address}</dt><dd>7 sign-ups, 2 reports</dd>`);
  expect(html).not.toContain("198.51.100.78");
  const stranger = await service.enter(await createUser());
  expect((await stranger.get("web", "/admin/recent")).status).toBe(404);
});
