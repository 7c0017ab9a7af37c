import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
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
  const page = await browser.get("web", "/admin/recent");
  expect(page.queries).toBe(1);
  expect(page.html).toMatch(new RegExp(`${spammer.username}</a></strong><p class="hint">12 comments</p>`));
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
