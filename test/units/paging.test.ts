import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { HttpError } from "../../functions/lib/errors/http-error.ts";
import {
  nextHref,
  Paging,
  PagingById,
  pageSize,
  readCursor,
  sendCollection,
} from "../../functions/lib/http/paging.ts";
import { sign } from "../../functions/lib/security/signing.ts";

const env = { SIGNING_KEYS: randomBytes(32).toString("base64") };
const links = { API_URL: "https://api.example", WEB_URL: "https://example", URN_NAMESPACE: "soundcloud" };
const scope = { ...env, list: "tracks", userId: 7 };

/** Newest first, like every list. */
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ id: 1000 - n }));

const page = (
  limit: number,
  count: number,
  url = "http://127.0.0.1:1/me/tracks?limit=2&linked_partitioning=1",
) => nextHref(scope, { rows: rows(count), limit, url, links });

const cursorIn = (href: string | undefined) => new URL(href ?? "").searchParams.get("cursor") ?? undefined;

test("the first page begins above every id", () => {
  expect(readCursor(scope, undefined)).toBe(Number.MAX_SAFE_INTEGER);
});

test("the next page begins below the last row", () => {
  expect(readCursor(scope, cursorIn(page(2, 3)))).toBe(999);
});

test("a page without further rows has no next page", () => {
  expect(page(2, 2)).toBeUndefined();
  expect(page(2, 1)).toBeUndefined();
  expect(page(2, 0)).toBeUndefined();
});

test("next_href repeats every parameter, on the public host whatever host was requested", () => {
  const href = page(2, 3, "http://10.0.0.1:99/tracks?q=a%26b%20c&genres=x&limit=2&cursor=old");
  const { origin, pathname, searchParams } = new URL(href ?? "");
  expect(origin + pathname).toBe("https://api.example/tracks");
  expect(searchParams.get("q")).toBe("a&b c");
  expect(searchParams.get("genres")).toBe("x");
  expect(searchParams.getAll("cursor")).toHaveLength(1);
});

test.each([
  ["another list", { ...scope, list: "likes" }],
  ["another user", { ...scope, userId: 8 }],
  ["no user", { ...scope, userId: null }],
  ["other keys", { ...scope, SIGNING_KEYS: randomBytes(32).toString("base64") }],
])("a cursor is refused by %s", (_, other) => {
  const cursor = cursorIn(page(2, 3));
  expect(() => readCursor(other, cursor)).toThrow(HttpError);
});

test.each(["", "1", "999", "a.b", "../../etc", "x".repeat(5000)])("%j is no cursor", (cursor) => {
  expect(() => readCursor(scope, cursor)).toThrow(expect.objectContaining({ status: 400 }));
});

test("a value signed for another purpose is no cursor", () => {
  expect(() => readCursor(scope, sign(env, "media", "tracks 7 999"))).toThrow(HttpError);
});

test.each([
  [{}, { limit: 50, linked_partitioning: false }],
  [{ limit: "1" }, { limit: 1, linked_partitioning: false }],
  [{ limit: "200" }, { limit: 200, linked_partitioning: false }],
  [{ limit: "201" }, { limit: 200, linked_partitioning: false }],
  [{ limit: "9".repeat(400) }, { limit: 200, linked_partitioning: false }],
  [{ linked_partitioning: "true" }, { limit: 50, linked_partitioning: true }],
  [{ linked_partitioning: "1" }, { limit: 50, linked_partitioning: true }],
  [{ linked_partitioning: "True" }, { limit: 50, linked_partitioning: true }],
  [{ linked_partitioning: "YES" }, { limit: 50, linked_partitioning: true }],
  [{ linked_partitioning: "on" }, { limit: 50, linked_partitioning: true }],
  [{ linked_partitioning: "no" }, { limit: 50, linked_partitioning: false }],
  [{ linked_partitioning: "Off" }, { limit: 50, linked_partitioning: false }],
])("%j is read as %j", (query, read) => {
  expect(Paging.parse(query)).toEqual(read);
});

test.each(["0", "-1", "1e2", "abc", "", "1.5", "٣"])("limit=%j is refused", (limit) => {
  expect(Paging.safeParse({ limit }).success).toBe(false);
});

test.each([
  [{}, 50],
  [{ limit: "7" }, 7],
  [{ ids: [1] }, 200],
  [{ urns: [1] }, 200],
  [{ limit: "7", ids: [1] }, 7],
])(
  "%j gets a page of %d",
  ({ limit, ...asked }: { limit?: string; ids?: number[]; urns?: number[] }, size) => {
    expect(pageSize({ ...PagingById.parse({ limit }), ...asked })).toBe(size);
  },
);

/** Sends through Hono, which creates the reply. */
const sent = (...reply: Parameters<typeof sendCollection> extends [unknown, ...infer Rest] ? Rest : never) =>
  new Hono().get("/", (c) => sendCollection(c, ...reply)).request("/");

test("a list is an array, or a page with next_href unless it is the last", async () => {
  expect(await (await sent(false, [1], "x")).json()).toEqual([1]);
  expect(await (await sent(true, [1, 2], "x")).json()).toEqual({ collection: [1, 2], next_href: "x" });
  expect(await (await sent(true, [], undefined)).json()).toEqual({ collection: [] });
});

test("only a truncated array names its next page in a header", async () => {
  expect((await sent(false, [1], "x")).headers.get("Link")).toBe('<x>; rel="next"');
  expect((await sent(false, [1], undefined)).headers.get("Link")).toBeNull();
  expect((await sent(true, [1], "x")).headers.get("Link")).toBeNull();
});
