import { expect, test } from "vitest";
import type { WebProfile } from "../../../functions/api/web-profiles/representation.ts";
import { UNKNOWN_ID } from "../../lib/http/error-object.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";

// README.md names this file as the template: what works comes first, then refused, malformed and concurrent requests.

const put = (who: Person, web_profiles: unknown, path = "/me/web-profiles") =>
  api.as(who).put<WebProfile[]>(path, { json: { web_profiles } });

const list = async (who: { token: string }, path = "/me/web-profiles") =>
  (await api.as(who).get<WebProfile[]>(path)).body;

test("200: a complete list replaces the previous one in its order, visible to everybody", async () => {
  const [ana, app] = [await createUser(), await createAppToken()];
  expect(await list(ana)).toEqual([]);
  const { status, body } = await put(ana, [
    { url: "https://www.instagram.com/ana", title: "Pictures", username: "ana" },
    { url: "http://ana.example.com/a?b=c", title: "" },
    { url: "https://ana.bandcamp.com", service: "shop" },
  ]);
  expect(status).toBe(200);
  const common = {
    kind: "web-profile",
    created_at: expect.stringMatching(/ \+0000$/),
    id: expect.any(Number),
  };
  expect(body).toEqual([
    {
      ...common,
      urn: `soundcloud:web-profiles:${body[0]?.id}`,
      service: "instagram",
      title: "Pictures",
      url: "https://www.instagram.com/ana",
      username: "ana",
    },
    {
      ...common,
      urn: expect.any(String),
      service: "personal",
      title: null,
      url: "http://ana.example.com/a?b=c",
      username: null,
    },
    {
      ...common,
      urn: expect.any(String),
      service: "shop",
      title: null,
      url: "https://ana.bandcamp.com",
      username: null,
    },
  ]);
  expect(await list(app, `/users/${ana.id}/web-profiles`)).toEqual(body);

  const [first, , third] = body;
  const turned = await put(ana, [{ url: third?.url }, { url: first?.url }], `/users/${ana.id}/web-profiles`);
  expect(turned.body.map(({ id, service }) => [id, service])).toEqual([
    [third?.id, "bandcamp"],
    [first?.id, "instagram"],
  ]);
  expect((await api.as(ana).delete("/me/web-profiles")).body).toEqual({ status: "200 - OK" });
  expect(await list(ana)).toEqual([]);
});

test("200: lists page like every collection and are never truncated", async () => {
  const ana = await createUser();
  const { body } = await put(
    ana,
    [1, 2, 3].map((n) => ({ url: `https://${n}.example` })),
  );
  for (const path of ["/me/web-profiles", `/users/${ana.id}/web-profiles`]) {
    expect(await list(ana, `${path}?limit=1`)).toEqual(body);
    const wrapped = await api.as(ana).get(`${path}?limit=1&linked_partitioning=True`);
    expect(wrapped.body).toEqual({ collection: body });
    for (const [query, status] of [
      ["limit=0", 422],
      ["linked_partitioning=maybe", 422],
      ["cursor=x", 400],
    ])
      expect([query, (await api.as(ana).get(`${path}?${query}`)).status]).toEqual([query, status]);
  }
});

test("200: a bare array or XML is accepted", async () => {
  const ana = await createUser();
  const bare = await api
    .as(ana)
    .put<WebProfile[]>("/me/web-profiles", { json: [{ url: "https://a.example" }] });
  expect([bare.status, bare.body.map(({ url }) => url)]).toEqual([200, ["https://a.example"]]);
  const raw =
    "<request><web-profiles type='array'><web-profile><url>https://b.example</url></web-profile></web-profiles></request>";
  const xml = await api
    .as(ana)
    .put<WebProfile[]>("/me/web-profiles", { raw, headers: { "Content-Type": "application/xml" } });
  expect([xml.status, xml.body.map(({ url }) => url)]).toEqual([200, ["https://b.example"]]);
});

test("403: only their owner changes them (X11)", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  await put(ben, [{ url: "https://ben.example" }]);
  const path = `/users/${ben.id}/web-profiles`;
  expect((await put(ana, [], path)).status).toBe(403);
  expect((await api.as(ana).delete(path)).status).toBe(403);
  expect(await list(ana, path)).toHaveLength(1);
  expect((await put(ana, [], `/users/${UNKNOWN_ID}/web-profiles`)).status).toBe(404);
  expect((await api.as(ana).delete(`/users/${UNKNOWN_ID}/web-profiles`)).status).toBe(404);
  const app = await createAppToken();
  expect((await api.as(app).get(`/users/${UNKNOWN_ID}/web-profiles`)).status).toBe(404);
  expect((await api.as(app).delete("/me/web-profiles")).status).toBe(401);
});

const good = { url: "https://a.example" };

test.for<[string, unknown, number, string]>([
  ["nothing", undefined, 400, "web_profiles: is missing"],
  ["null", null, 422, "web_profiles"],
  ["text", "x", 422, "web_profiles"],
  ["addresses alone", ["https://a.example"], 422, "web_profiles[0]"],
  ["none", [{}], 422, "web_profiles[0][url]: is missing"],
  ["a script (X24)", [{ url: "javascript:alert(1)" }], 422, "web_profiles[0][url]"],
  ["data", [{ url: "data:text/html,x" }], 422, "web_profiles[0][url]"],
  ["another protocol", [{ url: "ftp://a.example" }], 422, "web_profiles[0][url]"],
  ["a name of a host", [{ url: "a.example" }], 422, "web_profiles[0][url]"],
  ["somebody's password", [{ url: "https://u:p@a.example" }], 422, "web_profiles[0][url]"],
  ["an empty one", [{ url: "" }], 422, "web_profiles[0][url]"],
  ["a long one", [{ url: `https://a.example/${"x".repeat(500)}` }], 422, "web_profiles[0][url]"],
  ["NUL", [{ url: "https://a.example/\0" }], 422, "web_profiles[0][url]"],
  ["a service in words", [{ ...good, service: "A B" }], 422, "web_profiles[0][service]"],
  ["a title that is none", [{ ...good, title: 5 }], 422, "web_profiles[0][title]"],
  ["the same twice", [good, good], 422, "web_profiles[1][url]"],
  [
    "too many",
    Array.from({ length: 21 }, (_, n) => ({ url: `https://a.example/${n}` })),
    422,
    "web_profiles",
  ],
])("400 or 422: %s is refused, and nothing changes", async ([, profiles, status, field]) => {
  const ana = await createUser();
  await put(ana, [good]);
  const reply = await api.as(ana).put<ErrorReply>("/me/web-profiles", { json: { web_profiles: profiles } });
  expect([reply.status, reply.body.errors[0]?.error_message]).toEqual([
    status,
    expect.stringContaining(field),
  ]);
  expect(await list(ana)).toHaveLength(1);
});

test("200: one of several concurrent lists is stored completely", async () => {
  const ana = await createUser();
  const urls = (n: number) => [1, 2, 3].map((m) => ({ url: `https://${n}.example/${m}` }));
  await Promise.all(Array.from({ length: 10 }, (_, n) => put(ana, urls(n))));
  const savedHosts = (await list(ana)).map(({ url }) => new URL(url).host);
  expect([savedHosts.length, new Set(savedHosts).size]).toEqual([3, 1]);
  expect(await sql("select from web_profiles where user_id = $1", [ana.id])).toHaveLength(3);
});
