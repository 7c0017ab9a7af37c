import { beforeAll, describe, expect, test } from "vitest";
import { JSON_TYPE } from "../../attacks/raw-requests.support.ts";
import { withoutRequestId } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { operations } from "../../support/operations.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import {
  createPlayableTrack,
  createRetryableTrack,
  createTrack,
  type StoredTrack,
} from "../../support/tracks.ts";
import { type Entry, LISTS, RULES, WORD } from "./visibility-operations.ts";
import { CALLERS, type Caller, KINDS, type Kind, kind, owns } from "./visibility-rules.ts";

/**
 * API1: every operation on a track, by every caller, on every kind of track. The expected status follows from
 * rules.
 */

let owner: Person;
let friend: Person;
const tokens = new Map<string, string>();
const tracks = new Map<string, StoredTrack>();

beforeAll(async () => {
  owner = await createUser();
  const [other, app] = await Promise.all([createUser(), createApp()]);
  friend = await createUser();
  const cc = await tokenOf(owner.app);
  const byCaller: Record<keyof typeof CALLERS, string> = {
    nobody: "",
    "an app": cc,
    "an app with the secret": cc,
    "the owner": owner.token,
    "the owner by another app": await tokenOf(app, owner.username),
    "another user": other.token,
    "another user with the secret": other.token,
    "another user with a wrong secret": other.token,
    "a user that it is shared with": friend.token,
  };
  for (const [name, token] of Object.entries(byCaller)) tokens.set(name, token);
  for (const { id } of [other, friend]) await follow(id, owner.id);
  for (const [name, made] of Object.entries(KINDS)) tracks.set(name, await make(made));
  await sql(
    `insert into recent_plays (user_id, track_id, played_at) select l.id, t.id, now()
     from unnest($1::bigint[]) as l (id), tracks t where t.id = any ($2::bigint[])`,
    [[owner.id, friend.id], [...tracks.values()].map(({ id }) => id)],
  );
});

const follow = (user: number, followee: number) =>
  sql("insert into followings (user_id, followee_id) values ($1, $2)", [user, followee]);

async function make({ columns, state, sharing, gone, takenDown }: Kind): Promise<StoredTrack> {
  const whose = gone === "owner" ? await createUser() : owner;
  const row = { title: `A song ${WORD}`, sharing, ...columns };
  const track =
    state === "finished"
      ? await createPlayableTrack(whose, row)
      : state === "failed"
        ? await createRetryableTrack(whose, row)
        : await createTrack(whose, row);
  await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [track.id, friend.id]);
  for (const table of ["favorites", "reposts"])
    await sql(`insert into ${table} (track_id, user_id) values ($1, $2), ($1, $3)`, [
      track.id,
      friend.id,
      owner.id,
    ]);
  if (takenDown) await operate("track take-down", "--track", String(track.id), "--reason", "A claim");
  if (gone === "deleted") await sql("delete from tracks where id = $1", [track.id]);
  if (gone === "owner") await follow(friend.id, whose.id);
  if (gone === "owner") await sql("update users set disabled_at = now() where id = $1", [whose.id]);
  return track;
}

function trackOf(kind: string): StoredTrack {
  const track = tracks.get(kind);
  if (!track) throw new Error(`No track that is ${kind}`);
  return track;
}

async function ask(
  operation: string,
  { json: given }: Entry,
  name: string,
  caller: Caller,
  track: StoredTrack,
) {
  const [method = "", path = ""] = operation.split(" ");
  const json = typeof given === "function" ? given() : given;
  const secret = caller.presents === "secret" ? track.secret : `s-${"x".repeat(22)}`;
  const query = caller.presents ? `?secret_token=${secret}` : "";
  const token = tokens.get(name);
  const reply = await fetch(
    stack.urls.api +
      path
        .replace("{id}", String(track.id))
        .replace("{user}", String(friend.id))
        .replace("{format}", "vtt")
        .replace("{start}", "0") +
      query,
    {
      method,
      redirect: "manual",
      headers: { ...(token && { Authorization: `OAuth ${token}` }), ...(json && JSON_TYPE) },
      ...(json && { body: JSON.stringify(json) }),
    },
  );
  return { status: reply.status, text: await reply.text() };
}

test("each documented operation on a track has a rule, and each rule an operation", async () => {
  // Comments and playlists have their own tests, because their owners matter, too.
  const all = await operations();
  const onTracks = all.filter(({ template }) =>
    /^(?!\/playlists).*\/tracks\/\{(?!.*\/comments)/.test(template),
  );
  expect(Object.keys(RULES).sort()).toEqual(onTracks.map(({ name }) => name).sort());
});

test("each documented list of tracks has a rule, and each rule a list", async () => {
  const lists = (await operations()).filter(
    ({ method, template }) => method === "GET" && /^(?!\/playlists).*\/tracks$/.test(template),
  );
  expect(Object.keys(LISTS).sort()).toEqual(lists.map(({ name }) => name).sort());
});

/** Ids of an array, or of the items in a feed. */
function idsIn(body: { id: number }[] | { collection: { origin: { id: number } }[] }): Set<number> {
  const tracks = Array.isArray(body) ? body : body.collection.map(({ origin }) => origin);
  return new Set(tracks.map(({ id }) => id));
}

/** Kinds whose track is in the list. */
async function kindsIn(path: string, who: string): Promise<string[] | number> {
  const token = tokens.get(who);
  const headers = { ...(token && { Authorization: `OAuth ${token}` }) };
  const reply = await fetch(`${stack.urls.api}${path}`, { headers });
  if (reply.status !== 200) return reply.status;
  const ids = idsIn(await reply.json());
  return Object.keys(KINDS).filter((name) => ids.has(trackOf(name).id));
}

describe.each(Object.entries(LISTS))("%s (X10)", (operation, lists) => {
  test.each(Object.entries<Caller>(CALLERS))("for %s", async (who, caller) => {
    const path = operation.replace("GET ", "").replace("{id}", String(owner.id));
    const ids = Object.keys(KINDS).map((name) => trackOf(name).id);
    // A track's secret opens no list.
    const secret = caller.presents === "secret" ? `&secret_token=${trackOf("private").secret}` : "";
    for (const { rule, queries, mine } of lists) {
      const refused = caller.is === "nobody" || (mine && caller.is === "app");
      const expected = refused
        ? 401
        : Object.keys(KINDS).filter((name) => rule(caller, KINDS[name] ?? kind()));
      for (const query of queries(ids.join())) {
        const found = await kindsIn(`${path}?limit=200&${query}${secret}`, who);
        expect([query, found]).toEqual([query, expected]);
      }
    }
  });
});

describe.each(Object.entries(RULES))("%s", (operation, entry) => {
  test.each(Object.entries(KINDS))("on a track that is %s", async (name, made) => {
    const found: Record<string, number> = {};
    const expected: Record<string, number> = {};
    const one = async (who: string, caller: Caller) => {
      const status = entry.rule(caller, made);
      const track = entry.uses && status < 300 ? await make(made) : trackOf(name);
      const reply = await ask(operation, entry, who, caller, track);
      expected[who] = status;
      found[who] = reply.status;
      // X3: nobody but the owner sees the secret, not even its holders.
      if (!owns(caller, made)) expect([who, reply.text.includes(track.secret)]).toEqual([who, false]);
    };
    await Promise.all(Object.entries<Caller>(CALLERS).map(([who, caller]) => one(who, caller)));
    expect(found).toEqual(expected);
  });
});

test.each(Object.entries(RULES))(
  "404: what a caller may not see answers %s like an unknown id (X1)",
  async (operation, entry) => {
    const never = { ...trackOf("private"), id: 1 };
    const unseen = [never, ...["private", "deleted", "of a user who left", "taken down"].map(trackOf)];
    const asked = unseen.map((track) => ask(operation, entry, "another user", { is: "other" }, track));
    const replies = await Promise.all(asked);
    expect(new Set(replies.map(({ status, text }) => `${status} ${withoutRequestId(text)}`)).size).toBe(1);
  },
);
