import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply, type Reply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
});

describe("one's own tracks, page by page", () => {
  interface Page {
    collection: Track[];
    next_href?: string;
  }

  let lister: Person;
  let newestFirst: number[];

  beforeAll(async () => {
    lister = await createUser();
    newestFirst = [];
    for (const state of [
      "failed",
      "processing",
      "processing",
      "failed",
      "processing",
      "processing",
      "processing",
    ]) {
      const { id } = await createTrack(lister, {
        state,
        sharing: newestFirst.length % 2 ? "private" : "public",
      });
      newestFirst.unshift(id);
    }
  });

  const walk = async (from: string, between: () => Promise<unknown> = async () => {}) => {
    const pages: number[][] = [];
    for (let href: string | undefined = from; href; ) {
      const { body }: Reply<Page> = await api.as(lister).get<Page>(href);
      pages.push(body.collection.map(({ id }) => id));
      href = body.next_href;
      if (pages.length === 1) await between();
    }
    return pages;
  };

  test("a plain array without linked_partitioning, in all states and both sharings", async () => {
    const { body } = await api.as(lister).get<Track[]>("/me/tracks");
    expect(body.map(({ id }) => id)).toEqual(newestFirst);
    expect(body.every(({ secret_token, encoding }) => secret_token && encoding)).toBe(true);
    expect((await api.as(lister).get<Track[]>("/me/tracks?limit=2")).body).toHaveLength(2);
    expect((await api.as(lister).get<Track[]>("/me/tracks?linked_partitioning=false")).body).toHaveLength(7);
  });

  test("next_href leads through everything once and is absent at the end", async () => {
    const pages = await walk("/me/tracks?limit=3&linked_partitioning=true");
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(newestFirst);
    expect(await walk("/me/tracks?limit=7&linked_partitioning=1")).toHaveLength(1);
    expect(await walk("/me/tracks?limit=6&linked_partitioning=1")).toHaveLength(2);
  });

  test("next_href keeps every parameter, escaped, on the public host (X75)", async () => {
    const query = new URLSearchParams({
      limit: "2",
      linked_partitioning: "true",
      q: '"a stored" song<>&',
      unknown: '"><script>&é a b+c',
    });
    const headers = { Host: "evil.example", "X-Forwarded-Host": "evil.example" };
    const { body } = await api.as(lister).get<Page>(`/me/tracks?${query}`, { headers });
    expect(body.next_href).not.toMatch(/["<>]/);
    const next = new URL(body.next_href ?? "");
    expect(`${next.origin}${next.pathname}`).toBe(`${stack.urls.api}/me/tracks`);
    next.searchParams.delete("cursor");
    expect(Object.fromEntries(next.searchParams)).toEqual(Object.fromEntries(query));
  });

  test("items that come or go meanwhile neither repeat nor hide others (X74)", async () => {
    const doomed = await createTrack(lister);
    const allIds = await walk("/me/tracks?limit=2&linked_partitioning=true", async () => {
      await createTrack(lister, { title: "came meanwhile" });
      await sql("delete from tracks where id = $1", [doomed.id]);
    });
    expect(allIds.flat().filter((id) => id !== doomed.id)).toEqual(newestFirst);
    await sql("delete from tracks where user_id = $1 and title = 'came meanwhile'", [lister.id]);
  });

  test.for(["0", "-1", "abc", "", "1.5", "1e9", "0x10", " 5", "٣", "NaN"])(
    "limit=%s is refused by name (X39)",
    async (limit) => {
      const reply = await api.as(lister).get<ErrorReply>(`/me/tracks?limit=${encodeURIComponent(limit)}`);
      expect([reply.status, reply.body.errors[0]?.error_message]).toEqual([
        422,
        expect.stringMatching(/^limit/),
      ]);
    },
  );

  test("a limit above 200 counts as 200; a repeated one is refused (X39)", async () => {
    await sql(
      `insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename, original_content_size, state)
       select $1, 'many', 'many-' || n, '', '', 'k', 'f', 1, 'failed' from generate_series(1, 203) n`,
      [other.id],
    );
    for (const limit of ["201", "1000000", "1000001", "999999999999"]) {
      expect((await api.as(other).get<Track[]>(`/me/tracks?limit=${limit}`)).body).toHaveLength(200);
    }
    expect((await api.as(other).get<Track[]>("/me/tracks")).body).toHaveLength(50);
    expect((await api.as(other).get("/me/tracks?limit=1&limit=2")).status).toBe(400);
  });

  test("a cursor that was changed or belongs to another list or user is refused (X73)", async () => {
    const page = await api.as(lister).get<Page>("/me/tracks?limit=2&linked_partitioning=true");
    const cursor = new URL(page.body.next_href ?? "").searchParams.get("cursor") ?? "";
    const ask = async (changed: string, who = lister) =>
      (await api.as(who).get(`/me/tracks?cursor=${encodeURIComponent(changed)}`)).status;
    expect(await ask(cursor)).toBe(200);
    expect(await ask(cursor, owner)).toBe(400);
    const flipped = [...cursor].map(
      (char, at) => cursor.slice(0, at) + (char === "A" ? "B" : "A") + cursor.slice(at + 1),
    );
    const others = [
      "",
      ".",
      "1",
      cursor.slice(1),
      `${cursor}A`,
      `${cursor}.`,
      cursor.replace(".", ""),
      "\0",
      "é",
      "x".repeat(5000),
    ];
    const statuses = await Promise.all(
      [...flipped.filter((one) => one !== cursor), ...others].map((one) => ask(one)),
    );
    expect(new Set(statuses)).toEqual(new Set([400]));
  });

  test("/me counts them as documented, and failed ones for their owner alone", async () => {
    const me = await api.as(lister).get<Record<string, unknown>>("/me");
    expect(me.body).toMatchObject({
      id: lister.id,
      kind: "user",
      urn: `soundcloud:users:${lister.id}`,
      username: lister.username,
      plan: "Free",
      online: true,
      primary_email_confirmed: true,
      track_count: 4,
      private_tracks_count: 3,
      uri: `${stack.urls.api}/users/${lister.id}`,
    });
    for (const hidden of ["email", "password_hash", "disabled_at"])
      expect(me.body).not.toHaveProperty(hidden);
    const counted = async (who: Person) =>
      (await api.as(who).get<{ track_count: number }>(`/users/${lister.id}`)).body.track_count;
    expect([await counted(lister), await counted(other)]).toEqual([4, 3]);
  });
});
