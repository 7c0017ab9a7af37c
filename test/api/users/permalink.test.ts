import { expect, test } from "vitest";
import type { Me } from "../../../functions/api/users/representation-me.ts";
import { readArguments } from "../../../workers/admin/arguments.ts";
import { commands } from "../../../workers/admin/commands.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { Browser, PASSWORD, uniqueName } from "../../support/browser.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { resolvedTo } from "../resolve/resolve.support.ts";

interface Address {
  permalink: string;
  permalink_url: string;
  former_permalinks: string[];
}

const change = <Body = Address>(who: Person, permalink: unknown) =>
  api.as(who).put<Body>("/me/permalink", { json: { permalink } });

/** Runs an operator's command. */
const run = (command: string, ...args: string[]) =>
  commands[command]?.(stackTarget(stack), readArguments(args));

const unique = () => `p${crypto.randomUUID().slice(0, 12)}`;

const page = (permalink: string) => `${stack.urls.api}/${permalink}`;

test("changes the profile's address, which the former ones lead to", async () => {
  const ana = await createUser();
  const [second, third] = [unique(), unique()];
  await change(ana, second);
  const { status, body } = await change(ana, third.toUpperCase());
  expect([status, body]).toEqual([
    200,
    {
      kind: "permalink",
      permalink: third,
      permalink_url: page(third),
      former_permalinks: [second, ana.username],
    },
  ]);
  expect((await api.as(ana).get("/me/permalink")).body).toEqual(body);
  expect((await api.as(ana).get<Me>("/me")).body.permalink).toBe(third);
  for (const each of [ana.username, second, third.toUpperCase()])
    expect(await resolvedTo(ana, page(each))).toEqual([200, ana.id]);
});

test("422: nobody gets an address that another user has, or had, in any case", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  await change(ana, unique());
  for (const wanted of [ana.username, ana.username.toUpperCase()]) {
    const { status, body } = await change<ErrorReply>(ben, wanted);
    expect([status, body.errors[0]?.error_message]).toEqual([
      422,
      "permalink: is taken, or was and leads there still; choose another",
    ]);
  }
  const present = await createUser();
  expect((await change(ben, present.username)).status).toBe(422);
  const signUp = await new Browser().submit("/signup", "/signup", {
    username: ana.username,
    email: `${uniqueName()}@example.com`,
    password: PASSWORD,
  });
  expect([signUp.status, signUp.html.includes("Username is taken")]).toEqual([422, true]);
});

test("422: an address that looks like another user's name", async () => {
  const ben = await createUser();
  const word = `look${crypto.randomUUID().replace(/[^a-f]/g, "")}`;
  await run(
    "user create",
    "--username",
    `${word} rn`,
    "--email",
    `${unique()}@example.com`,
    "--password",
    PASSWORD,
  );
  expect((await change(ben, `${word}-m`)).status).toBe(422);
});

test("422: reserved words, names of staff, ids and other letters, each named", async () => {
  const ana = await createUser();
  for (const wrong of [
    "me",
    "Settings",
    "soundpost",
    "support",
    "1234567890123",
    "a",
    "ä",
    "a b",
    "",
    null,
  ]) {
    const { status, body } = await change<ErrorReply>(ana, wrong);
    expect([wrong, status]).toEqual([wrong, 422]);
    expect(body.errors[0]?.error_message).toMatch(/^permalink: /);
  }
});

test("429: a fourth address in 30 days, but one's own former ones any time", async () => {
  const ana = await createUser();
  for (let n = 0; n < 3; n++) expect((await change(ana, unique())).status).toBe(200);
  const refused = await change<ErrorReply>(ana, unique());
  expect([refused.status, Number(refused.headers.get("Retry-After")) > 0]).toEqual([429, true]);
  expect((await change(ana, ana.username)).status).toBe(200);
  await sql("update former_addresses set left_at = left_at - interval '31 days' where user_id = $1", [
    ana.id,
  ]);
  expect((await change(ana, unique())).status).toBe(200);
});

test("of two users who want one address at once, one gets it", async () => {
  const people = [await createUser(), await createUser()];
  const wanted = unique();
  const statuses = await Promise.all(people.map(async (one) => (await change(one, wanted)).status));
  expect(statuses.sort()).toEqual([200, 422]);
});
