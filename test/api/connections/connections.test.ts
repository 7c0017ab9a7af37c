import { expect, test } from "vitest";
import type { Connection } from "../../../functions/api/connections/representation.ts";
import { expectErrorObject, UNKNOWN_ID } from "../../lib/http/error-object.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createMember, PASSWORD } from "../../support/browser.ts";
import { createApp, createAppToken, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { BACK, begin, connectionsOf, createConnection, roundTrip } from "./connections.support.ts";

const pathOf = ({ id }: Pick<Connection, "id">) => `/me/connections/${id}`;

test("a connection begins with an address at the other service, for a browser", async () => {
  const ana = await createUser();
  const { status, headers, body } = await begin(ana);
  expect(status).toBe(202);
  expect(headers.get("Cache-Control")).toBe("private, no-store");
  expect(Object.keys(body)).toEqual(["authorize_url"]);
  const { searchParams } = new URL(body.authorize_url);
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: "code",
    client_id: "soundpost",
    redirect_uri: expect.stringMatching(/\/connections\/callback$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
  expect(await connectionsOf(ana)).toEqual([]);
});

test("connections are listed, newest first, and found by id", async () => {
  const ana = await createUser();
  await createConnection(ana, "First");
  const { body } = await api.as(ana).get<Connection>(pathOf(await createConnection(ana, "Ána & <b>")));
  expect(body).toEqual({
    id: expect.any(Number),
    kind: "connection",
    urn: `soundcloud:connections:${body.id}`,
    uri: expect.stringMatching(new RegExp(`/me/connections/${body.id}$`)),
    created_at: expect.stringMatching(/^\d{4}(?:\/\d\d){2} \d\d:\d\d:\d\d \+0000$/),
    service: "twitter",
    type: "twitter",
    display_name: "Ána & <b>",
    post_favorite: false,
    post_publish: false,
  });
  const listed = await connectionsOf(ana);
  expect(listed.map(({ display_name }) => display_name)).toEqual(["Ána & <b>", "First"]);
  expect((await api.as(ana).get(`/me/connections/${body.urn}`)).body).toEqual(body);

  const page = (query: string) => api.as(ana).get<{ collection: Connection[]; next_href?: string }>(query);
  const first = (await page("/me/connections?limit=1&linked_partitioning=1")).body;
  const second = (await page(first.next_href ?? "")).body;
  expect([...first.collection, ...second.collection]).toEqual(listed);
  expect(second.next_href).toBeUndefined();
  expect((await api.as(ana).get("/me/connections?offset=1")).body).toEqual(listed.slice(1));
});

test("forms of either kind also begin one, and XML returns the same", async () => {
  const ana = await createUser();
  const fields = { service: "myspace", redirect_uri: "com.example.app:/back", post_favorite: "1" };
  const multipart = new FormData();
  for (const [name, value] of Object.entries(fields)) multipart.set(name, value);
  for (const options of [{ form: fields }, { raw: multipart }]) {
    const { status, body } = await api.as(ana).post<{ authorize_url: string }>("/me/connections", options);
    expect([status, body.authorize_url]).toEqual([202, expect.stringContaining("/myspace/")]);
  }
  const xml = await api.as(ana).post<string>("/me/connections.xml", { form: fields });
  expect(xml.status).toBe(202);
});

test("the kinds of posts are chosen at first and changed later", async () => {
  const ana = await createUser();
  const made = await createConnection(ana, "Ana", { post_favorite: true });
  expect(made).toMatchObject({ post_favorite: true, post_publish: false });
  const put = (options: object) => api.as(ana).put<Connection>(pathOf(made), options);
  expect((await put({ json: { post_publish: true } })).body).toEqual({ ...made, post_publish: true });
  expect((await put({ form: { post_favorite: "false" } })).body).toMatchObject({
    post_favorite: false,
    post_publish: true,
  });
  const ignored = { service: "myspace", display_name: "Another", id: 1, user_id: 1, created_at: "now" };
  expect((await put({ json: ignored })).body).toMatchObject({ service: "twitter", display_name: "Ana" });
  const wrong = await put({ json: { post_publish: "perhaps" } });
  expect(wrong.status).toBe(422);
  expect((wrong.body as unknown as ErrorReply).errors[0]?.error_message).toContain("post_publish");
});

test("the second of two concurrent changes is refused", async () => {
  const ana = await createUser();
  const made = await createConnection(ana);
  const seen = (await api.as(ana).get(pathOf(made))).headers.get("ETag") ?? "";
  const change = () =>
    api.as(ana).put(pathOf(made), { json: { post_favorite: true }, headers: { "If-Match": seen } });
  expect((await change()).status).toBe(200);
  expect((await change()).status).toBe(412);
  const gone = await api.as(ana).delete(pathOf(made), { headers: { "If-Match": seen } });
  expect(gone.status).toBe(412);
});

test("a deleted connection is gone together with its tokens", async () => {
  const ana = await createUser();
  const made = await createConnection(ana);
  const { status, body } = await api.as(ana).delete(pathOf(made));
  expect([status, body]).toEqual([200, { status: "200 - OK" }]);
  for (const again of [api.as(ana).delete, api.as(ana).get])
    expect((await again(pathOf(made))).status).toBe(404);
  expect(await connectionsOf(ana)).toEqual([]);
  expect(await sql("select from connections where user_id = $1", [ana.id])).toEqual([]);
});

test("404: another user's connection (X16)", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const made = await createConnection(ana);
  const asked = (who: Person, path: string) => [
    api.as(who).get(path),
    api.as(who).put(path, { json: { post_favorite: true } }),
    api.as(who).delete(path),
  ];
  for (const path of [pathOf(made), pathOf({ id: UNKNOWN_ID })])
    for (const reply of await Promise.all(asked(ben, path))) {
      expect(reply.status).toBe(404);
      expectErrorObject(reply);
    }
  expect(await connectionsOf(ben)).toEqual([]);
  expect(await connectionsOf(ana)).toEqual([made]);
});

test("an app without a user has no connections (X22)", async () => {
  const app = await createAppToken();
  expect((await begin(app)).status).toBe(401);
  expect((await api.as(app).get("/me/connections")).status).toBe(401);
});

test.each([
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "java\tscript:alert(1)",
  " javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://client.example/1",
  "about:blank",
  "http://internal",
  "http://internal/back",
  "http://169.254.169.254/latest/meta-data",
  "http://10.0.0.1/",
  "http://[fd00::1]/",
  "https://client.example\\@evil.example/",
  "https://user:word@client.example/",
  "https://client.example/#fragment",
  "https://client.example/\r\nSet-Cookie: a=b",
  "//client.example/back",
  "/back",
  "client.example",
  "",
  `https://client.example/${"a".repeat(2000)}`,
])("%j is no valid redirect address (X55)", async (redirect_uri) => {
  const reply = await begin(await createUser(), { redirect_uri });
  expect(reply.status).toBe(422);
  expect(JSON.stringify(reply.body)).toContain("redirect_uri: ");
});

test.each([
  "https://client.example",
  "https://client.example/back?a=1&b=",
  "http://127.0.0.1:4711/back",
  "http://localhost:3000/",
  "com.example.app:/back",
  "com.example.app://back",
])("%s is a valid redirect address and gets the result in its query", async (redirect_uri) => {
  const end = await roundTrip(await createUser(), { redirect_uri });
  expect(end).toBe(`${redirect_uri}${redirect_uri.includes("?") ? "&" : "?"}success=true`);
});

test("missing and unknown fields are named", async () => {
  const ana = await createUser();
  const refused = async (json: object) => {
    const { status, body } = await api.as(ana).post<ErrorReply>("/me/connections", { json });
    return [status, body.errors.map(({ error_message }) => error_message)];
  };
  expect(await refused({ redirect_uri: BACK })).toEqual([400, ["service: is missing"]]);
  expect(await refused({ service: "twitter" })).toEqual([400, ["redirect_uri: is missing"]]);
  expect(await refused({ service: "google_plus", redirect_uri: BACK })).toEqual([
    422,
    [expect.stringContaining("service: must be one of facebook_profile")],
  ]);
  for (const service of ["__proto__", "constructor", 1, null, ["twitter"], {}])
    expect((await refused({ service, redirect_uri: BACK }))[0]).toBe(422);
});

test("connections are in the account's export, and deleted with the account (X103)", async () => {
  const { browser, id, username } = await createMember();
  const app = await createApp();
  const member = { id, username, app, token: await tokenOf(app, username) };
  await createConnection(member, "Exported");
  const exported = (await browser.submit("/settings", "/settings/export")).html;
  expect(JSON.parse(exported).connections).toMatchObject([{ service: "twitter", display_name: "Exported" }]);
  expect(exported).not.toMatch(/sealed|token/);
  await browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  expect(await sql("select from connections where user_id = $1", [id])).toEqual([]);
});
