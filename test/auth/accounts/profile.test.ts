import { expect, test } from "vitest";
import type { Me } from "../../../functions/api/users/representation-me.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createForm } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";

const me = async (who: Person) => (await api.as(who).get<Me>("/me")).body;

test("read-only fields of a user never change (X18)", async () => {
  const ana = await createUser();
  const before = await me(ana);
  const readOnly = {
    id: 1,
    plan: "artist-pro",
    primary_email_confirmed: false,
    followers_count: 9,
    permalink: "other",
    full_name: "N",
    city: "C",
    country: "DE",
    discogs_name: "d",
    myspace_name: "m",
    online: false,
    avatar_url: "https://example.com/a-large.jpg",
    avatar_version: "x",
    disabled_at: "2020-01-01",
  };
  const { status, body } = await api
    .as(ana)
    .put<Me>("/me", { json: { user: { ...readOnly, description: "d" } } });
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, description: "d", last_modified: body.last_modified });
  expect(await me(ana)).toEqual(body);
});

test("a profile is changed field by field, as JSON or a form; null and empty clear a field", async () => {
  const ana = await createUser();
  const put = async (fields: Record<string, string | null>) =>
    (await api.as(ana).put<Me>("/me", { json: { user: fields } })).body;
  const site = { website: "https://example.com/a?b=c", website_title: "Home" };
  const username = `Ana Öst ${ana.username}`;
  expect(await put({ ...site, username, description: "<b>text</b>" })).toMatchObject({
    ...site,
    username,
    description: "<b>text</b>",
    permalink: ana.username,
  });
  expect(await put({ description: null })).toMatchObject({ ...site, description: null });
  const sent = { "user[website]": "", "user[description]": "one\r\ntwo" };
  for (const options of [{ form: sent }, createForm(sent)]) {
    const { status, body } = await api.as(ana).put<Me>("/me", options);
    expect([status, body.website, body.website_title, body.description]).toEqual([
      200,
      null,
      "Home",
      "one\ntwo",
    ]);
  }
});

test.each([
  [{}, 400, "user: is missing"],
  [{ user: null }, 422, "user"],
  [{ user: { username: "" } }, 422, "user[username]: must not be empty"],
  [{ user: { username: null } }, 422, "user[username]"],
  [{ user: { username: ["a"] } }, 422, "user[username]"],
  [{ user: { username: "settings" } }, 422, "user[username]: is reserved"],
  [{ user: { website: "javascript:alert(1)" } }, 422, "user[website]: must be a complete address"],
  [{ user: { description: "x".repeat(4_001) } }, 422, "user[description]: may have 4000 characters"],
  [{ user: { website_title: "\u0000" } }, 422, "user[website_title]: contains characters"],
  [{ user: { avatar_data: "R0lGODlh" } }, 422, "user[avatar_data]: must be a file"],
])("a profile of %j is refused and nothing changed", async (json, status, cause) => {
  const ana = await createUser();
  const before = await me(ana);
  const reply = await api.as(ana).put<ErrorReply>("/me", { json });
  expect([reply.status, reply.body.errors[0]?.error_message]).toEqual([
    status,
    expect.stringContaining(cause),
  ]);
  expect(await me(ana)).toEqual(before);
});
