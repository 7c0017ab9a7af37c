import { beforeAll, describe, expect, test } from "vitest";
import type { User } from "../../../functions/api/users/representation.ts";
import { UNKNOWN_ID } from "../../lib/http/error-object.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { runCron, sql } from "../../support/stack.ts";
import type { Asking } from "../tracks/lists.support.ts";

interface Page {
  collection: User[];
  next_href?: string;
}

let app: { token: string };

beforeAll(async () => {
  app = await createAppToken();
});

const pair = () => Promise.all([createUser(), createUser()]);

const follow = (who: Asking, id: number | string) => api.as(who).put<User>(`/me/followings/${id}`);
const unfollow = (who: Asking, id: number | string) => api.as(who).delete(`/me/followings/${id}`);

const page = async (who: Asking, path: string) => (await api.as(who).get<Page>(path)).body;
const ids = async (who: Asking, path: string) => (await page(who, path)).collection.map(({ id }) => id);

const counts = async ({ id }: Person) => {
  const { followers_count, followings_count } = (await api.as(app).get<User>(`/users/${id}`)).body;
  return { followers: followers_count, followings: followings_count };
};

/** Counts the rows. */
const rows = async ({ id }: Person) => {
  const [row] = await sql<{ followers: number; followings: number }>(
    `select count(*) filter (where followee_id = $1)::int as followers, count(*) filter (where user_id = $1)::int as followings
     from followings`,
    [id],
  );
  return row;
};

describe("following", () => {
  test("returns the user with 201 if new, with 200 if it existed", async () => {
    const [ana, ben] = await pair();
    const made = await follow(ana, ben.id);
    expect([made.status, made.body.id, made.body.followers_count]).toEqual([201, ben.id, 1]);
    const again = await follow(ana, `soundcloud:users:${ben.id}`);
    expect([again.status, again.body]).toEqual([200, { status: "200 - Successful" }]);
    expect(await counts(ana)).toEqual({ followers: 0, followings: 1 });
    expect(await counts(ben)).toEqual({ followers: 1, followings: 0 });
  });

  test("ends with 200, also repeatedly", async () => {
    const [ana, ben] = await pair();
    await follow(ana, ben.id);
    for (let n = 0; n < 2; n++) {
      const gone = await unfollow(ana, ben.id);
      expect([gone.status, gone.body]).toEqual([200, { status: "200 - OK" }]);
    }
    expect(await counts(ana)).toEqual({ followers: 0, followings: 0 });
    expect((await follow(ana, ben.id)).status).toBe(201);
  });

  test("requires another existing user", async () => {
    const [ana, gone] = await pair();
    await sql("update users set disabled_at = now() where id = $1", [gone.id]);
    for (const id of [UNKNOWN_ID, gone.id, "x", "0"]) {
      expect((await follow(ana, id)).status).toBe(404);
      expect((await unfollow(ana, id)).status).toBe(404);
    }
    expect((await follow(ana, ana.id)).status).toBe(422);
    expect((await follow(app, ana.id)).status).toBe(401);
    expect((await api.put(`/me/followings/${ana.id}`)).status).toBe(401);
    expect(await counts(ana)).toEqual({ followers: 0, followings: 0 });
  });

  test("works by one's own id, and is refused by another's (X11)", async () => {
    const [ana, ben] = await pair();
    const own = `/users/${ana.id}/followings/${ben.id}`;
    const others = `/users/${ben.id}/followings/${ana.id}`;
    expect((await api.as(ana).put(own)).status).toBe(201);
    expect((await api.as(ana).put(own)).status).toBe(200);
    expect((await api.as(ana).put(others)).status).toBe(403);
    await follow(ben, ana.id);
    expect((await api.as(ana).delete(others)).status).toBe(403);
    for (const path of [`${UNKNOWN_ID}/followings/${ben.id}`, `${ben.id}/followings/${UNKNOWN_ID}`])
      for (const method of ["put", "delete"] as const)
        expect((await api.as(ana)[method](`/users/${path}`)).status).toBe(404);
    expect(await counts(ana)).toEqual({ followers: 1, followings: 1 });
    expect((await api.as(ana).delete(own)).status).toBe(200);
  });

  test("goes up to 2,000, and an existing one may be repeated", async () => {
    const ana = await createUser();
    const crowd = await sql<{ id: number }>(
      `with made as (insert into users (username, permalink)
         select 'crowd ' || n, 'crowd-' || $1::bigint || '-' || n from generate_series(1, 2001) n returning id),
       followed as (insert into followings (user_id, followee_id) select $1::bigint, id from made order by id limit 1999)
       select id::float8 as id from made order by id desc limit 3`,
      [ana.id],
    );
    const [last = { id: 0 }, free = { id: 0 }, stood = { id: 0 }] = crowd;
    const tried = await Promise.all([follow(ana, last.id), follow(ana, free.id)]);
    expect(tried.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect((await follow(ana, stood.id)).status).toBe(200);
    expect((await rows(ana))?.followings).toBe(2_000);
    expect((await unfollow(ana, stood.id)).status).toBe(200);
    expect((await follow(ana, stood.id)).status).toBe(201);
  });

  test("fifty times at once creates one row and counts once (X76)", async () => {
    const [ana, ben] = await pair();
    const replies = await Promise.all(Array.from({ length: 50 }, () => follow(ana, ben.id)));
    const made = replies.filter(({ status }) => status === 201);
    expect([made.length, replies.filter(({ status }) => status === 200).length]).toEqual([1, 49]);
    expect(await rows(ana)).toEqual({ followers: 0, followings: 1 });
    expect(await counts(ana)).toEqual({ followers: 0, followings: 1 });
    expect(await counts(ben)).toEqual({ followers: 1, followings: 0 });
  });

  test("in a storm of both leaves counters equal to the rows, before and after the roll-up (X77)", async () => {
    const crowd = await Promise.all([createUser(), createUser(), createUser()]);
    const storm = Array.from({ length: 90 }, (_, n) => {
      const [who, whom] = [crowd[n % 3], crowd[(n + 1 + (n % 2)) % 3]];
      return who && whom && (Math.floor(n / 6) % 2 ? unfollow : follow)(who, whom.id);
    });
    const [, statuses] = await Promise.all([runCron("*/5 * * * *"), Promise.all(storm)]);
    expect(new Set(statuses.map((reply) => (reply?.status ?? 0) < 300))).toEqual(new Set([true]));
    for (let n = 0; n < 2; n++) {
      for (const who of crowd) expect(await counts(who)).toEqual(await rows(who));
      await runCron("*/5 * * * *");
    }
  });

  test("ends when the user is erased, and the counters follow", async () => {
    const [ana, ben] = await pair();
    await follow(ana, ben.id);
    await follow(ben, ana.id);
    await sql("delete from accounts where user_id = $1", [ben.id]);
    await sql("update users set disabled_at = now() where id = $1", [ben.id]);
    expect(await ids(ana, "/me/followings")).toEqual([]);
    expect(await ids(ana, "/me/followers")).toEqual([]);
    await expect
      .poll(async () => {
        await runCron("*/5 * * * *");
        return counts(ana);
      })
      .toEqual({ followers: 0, followings: 0 });
  });

  test("404: a user who is suspended at the same moment gains no follower", async () => {
    const [ana, ben] = await pair();
    const suspend = "update users set disabled_at = now() where id = $1";
    expect((await askDuring(suspend, [ben.id], () => follow(ana, ben.id))).status).toBe(404);
    expect((await rows(ana))?.followings).toBe(0);
  });

  test("may end after the user was disabled", async () => {
    const [ana, ben] = await pair();
    await follow(ana, ben.id);
    await sql("update users set disabled_at = now() where id = $1", [ben.id]);
    expect((await unfollow(ana, ben.id)).status).toBe(200);
    expect((await rows(ana))?.followings).toBe(0);
  });
});

describe("one following", () => {
  test("returns the user while it exists", async () => {
    const [ana, ben] = await pair();
    await follow(ana, ben.id);
    const paths = (who: Person, whom: Person): [Asking, string, Person][] => [
      [app, `/users/${who.id}/followings/${whom.id}`, whom],
      [app, `/users/${whom.id}/followers/${who.id}`, who],
      [who, `/me/followings/${whom.id}`, whom],
      [whom, `/me/followers/${who.id}`, who],
    ];
    for (const [asking, path, shown] of paths(ana, ben)) {
      const { status, body } = await api.as(asking).get<User>(path);
      expect([path, status, body.id]).toEqual([path, 200, shown.id]);
    }
    for (const [asking, path] of paths(ben, ana)) expect((await api.as(asking).get(path)).status).toBe(404);
    for (const path of [`/me/followings/${UNKNOWN_ID}`, `/users/${UNKNOWN_ID}/followers/${ana.id}`])
      expect((await api.as(ana).get<ErrorReply>(path)).status).toBe(404);
    await sql("update users set disabled_at = now() where id = $1", [ben.id]);
    expect((await api.as(ana).get(`/me/followings/${ben.id}`)).status).toBe(404);
  });
});

describe("lists of followings and followers", () => {
  test("are always pages, newest first, and the same under /me", async () => {
    const [ana, ...crowd] = await Promise.all(Array.from({ length: 5 }, () => createUser()));
    if (!ana) throw new Error("Nobody there");
    for (const who of crowd) {
      await follow(ana, who.id);
      await follow(who, ana.id);
    }
    const newest = crowd.map(({ id }) => id).toReversed();
    for (const name of ["followings", "followers"]) {
      for (const partitioned of ["", "&linked_partitioning=true", "&linked_partitioning=false"]) {
        const whole = await page(ana, `/me/${name}?limit=4${partitioned}`);
        expect([whole.collection.map(({ id }) => id), whole.next_href]).toEqual([newest, undefined]);
      }
      for (const path of [`/me/${name}`, `/users/${ana.id}/${name}`]) {
        const seen: number[] = [];
        let href: string | undefined = `${path}?limit=3`;
        while (href) {
          const next: Page = await page(ana, href);
          seen.push(...next.collection.map(({ id }) => id));
          href = next.next_href;
        }
        expect([path, seen]).toEqual([path, newest]);
      }
      const [, second = 0] = newest;
      expect(await ids(app, `/users/${ana.id}/${name}?ids=${second},${ana.id}`)).toEqual([second]);
      const one = crowd.find(({ id }) => id === second)?.username;
      expect(await ids(app, `/users/${ana.id}/${name}?q=${one}`)).toEqual([second]);
      expect(await ids(app, `/users/${ana.id}/${name}?q=${ana.username}`)).toEqual([]);
    }
  });

  test("neither repeat nor omit rows when others come and go (X74)", async () => {
    const [ana, ...crowd] = await Promise.all(Array.from({ length: 6 }, () => createUser()));
    if (!ana) throw new Error("Nobody there");
    for (const who of crowd.slice(0, 4)) await follow(ana, who.id);
    const newest = crowd.slice(0, 4).toReversed();
    const first = await page(ana, "/me/followings?limit=2");
    await follow(ana, crowd[4]?.id ?? 0);
    await unfollow(ana, newest[1]?.id ?? 0);
    await unfollow(ana, newest[2]?.id ?? 0);
    const second = await page(ana, first.next_href ?? "");
    expect(second.collection.map(({ id }) => id)).toEqual([newest[3]?.id]);
    expect(second.next_href).toBeUndefined();
  });

  test("are 404 for unknown users, and /me lists refuse an app's token", async () => {
    for (const name of ["followings", "followers"]) {
      expect((await api.as(app).get(`/users/${UNKNOWN_ID}/${name}`)).status).toBe(404);
      expect((await api.as(app).get(`/me/${name}`)).status).toBe(401);
    }
  });
});
