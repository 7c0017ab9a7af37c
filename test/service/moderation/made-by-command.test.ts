import { expect, test } from "vitest";
import { createApp, createUserWithPassword, tokenOf } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";

const actsOn = (target: string) =>
  sql("select act, details from audit_log where target = $1 order by id", [target]);

test("users, apps and tokens that the command line makes are in the log, without any secret", async () => {
  const who = await createUserWithPassword({ plan: "artist" });
  const app = await createApp();
  await tokenOf(app, who.username);
  expect(await actsOn(who.username)).toEqual([
    { act: "user.create", details: { plan: "artist", confirmed: true } },
  ]);
  const rows = await actsOn(app.client_id);
  expect(rows).toMatchObject([
    { act: "app.create" },
    { act: "token.create", details: { user: who.username } },
  ]);
  expect(JSON.stringify(rows)).not.toContain(app.client_secret);
});
