import { beforeAll, describe, expect, test } from "vitest";
import { JSON_TYPE } from "../../attacks/raw-requests.support.ts";
import { withoutRequestId } from "../../support/api.ts";
import { operations } from "../../support/operations.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";

/**
 * API1: every operation on comments, by every caller, on every kind of track. The expected status follows
 * from rules.
 */

interface Caller {
  is: "nobody" | "app" | "owner" | "author" | "friend" | "other";
  presents?: "secret" | "wrong";
}

const CALLERS: Record<string, Caller> = {
  nobody: { is: "nobody" },
  "an app": { is: "app" },
  "an app with the secret": { is: "app", presents: "secret" },
  "the track's owner": { is: "owner" },
  "the author": { is: "author" },
  "the author by another app": { is: "author" },
  "the author with the secret": { is: "author", presents: "secret" },
  "a user that the track is shared with": { is: "friend" },
  "another user": { is: "other" },
  "another user with the secret": { is: "other", presents: "secret" },
  "another user with a wrong secret": { is: "other", presents: "wrong" },
};

interface Kind {
  columns?: Record<string, unknown>;
  gone?: "track" | "owner" | "author" | "comment";
}

const KINDS: Record<string, Kind> = {
  public: {},
  private: { columns: { sharing: "private" } },
  blocked: { columns: { streamable: false } },
  "behind a paywall": { columns: { paywall: "blocked" } },
  "for another country": { columns: { available_country_codes: ["AQ"] } },
  failed: { columns: { state: "failed" } },
  "closed to comments": { columns: { commentable: false } },
  "private and closed to comments": { columns: { sharing: "private", commentable: false } },
  deleted: { gone: "track" },
  "of a user who left": { gone: "owner" },
  "commented on by a user who left": { gone: "author" },
  "no longer commented on": { gone: "comment" },
};

type Rule = (caller: Caller, kind: Kind) => number;

const seesTrack = ({ is, presents }: Caller, { columns, gone }: Kind) =>
  gone !== "track" &&
  gone !== "owner" &&
  (columns?.sharing !== "private" || is === "owner" || is === "friend" || presents === "secret");

const isThere = ({ gone }: Kind) => gone !== "track" && gone !== "comment";

/** Tokens of a user who left are void. */
const isSignedIn = ({ is }: Caller, { gone }: Kind) =>
  !(is === "nobody" || (is === "owner" && gone === "owner") || (is === "author" && gone === "author"));

const signedIn =
  (rule: Rule): Rule =>
  (caller, kind) =>
    isSignedIn(caller, kind) ? rule(caller, kind) : 401;

const asUser = (rule: Rule): Rule =>
  signedIn((caller, kind) => (caller.is === "app" ? 401 : rule(caller, kind)));

const sees = (caller: Caller, kind: Kind) =>
  seesTrack(caller, kind) && isThere(kind) && kind.gone !== "author";

const reads = signedIn((caller, kind) => (sees(caller, kind) ? 200 : 404));

const lists = signedIn((caller, kind) => (seesTrack(caller, kind) ? 200 : 404));

const writes = asUser((caller, kind) => {
  if (!seesTrack(caller, kind)) return 404;
  return kind.columns?.commentable === false ? 403 : 201;
});

const edits = asUser((caller, kind) => {
  if (!sees(caller, kind)) return 404;
  return caller.is === "author" ? 200 : 403;
});

/** Authors may delete their comments even if they cannot see them. */
const deletes = asUser((caller, kind) => {
  if (isThere(kind) && (caller.is === "author" || caller.is === "owner")) return 200;
  return sees(caller, kind) ? 403 : 404;
});

interface Entry {
  rule: Rule;
  /** Success creates or removes a comment. */
  uses?: true;
}

const RULES: Record<string, Entry> = {
  "GET /comments/{id}": { rule: reads },
  "GET /tracks/{id}/comments": { rule: lists },
  "POST /tracks/{id}/comments": { rule: writes },
  "GET /tracks/{id}/comments/{commentId}": { rule: reads },
  "PUT /tracks/{id}/comments/{commentId}": { rule: edits },
  "DELETE /tracks/{id}/comments/{commentId}": { rule: deletes, uses: true },
};

const WORDS = "Only for those who see the track";

interface Commented {
  track: StoredTrack;
  comment: number;
}

let owner: Person;
let author: Person;
let friend: Person;
const tokens = new Map<string, string>();
const leavers = new Map<string, Record<string, string>>();
const made = new Map<string, Commented>();

beforeAll(async () => {
  const other = await createUser();
  [owner, author, friend] = await Promise.all([createUser(), createUser(), createUser()]);
  const [cc, byAnotherApp] = [await tokenOf(owner.app), await tokenOf(await createApp(), author.username)];
  const byCaller: Record<Caller["is"], string> = {
    nobody: "",
    app: cc,
    owner: owner.token,
    author: author.token,
    friend: friend.token,
    other: other.token,
  };
  for (const [name, { is }] of Object.entries(CALLERS))
    tokens.set(name, name.endsWith("by another app") ? byAnotherApp : byCaller[is]);
  for (const [name, kind] of Object.entries(KINDS)) made.set(name, await make(name, kind));
});

async function make(name: string, { columns, gone }: Kind): Promise<Commented> {
  const leaver = gone === "owner" || gone === "author" ? await createUser() : undefined;
  const track = await createTrack(gone === "owner" && leaver ? leaver : owner, columns);
  const by = gone === "author" && leaver ? leaver : author;
  await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [track.id, friend.id]);
  // An hour old, so that the limit on writing ignores them.
  const [row] = await sql<{ id: number }>(
    `insert into comments (id, track_id, user_id, body, sanitizer_version)
     values (next_id() - (3600000::bigint << 12), $1, $2, $3, 1) returning id::float8 as id`,
    [track.id, by.id, WORDS],
  );
  if (leaver && gone) leavers.set(name, { [gone]: leaver.token });
  if (leaver) await sql("update users set disabled_at = now() where id = $1", [leaver.id]);
  if (gone === "track") await sql("delete from tracks where id = $1", [track.id]);
  if (gone === "comment") await sql("delete from comments where id = $1", [row?.id]);
  return { track, comment: row?.id ?? 0 };
}

function commentedOn(kind: string): Commented {
  const found = made.get(kind);
  if (!found) throw new Error(`No track that is ${kind}`);
  return found;
}

async function ask(operation: string, who: string, kind: string, { track, comment }: Commented) {
  const [method = "", template = ""] = operation.split(" ");
  const { is, presents } = CALLERS[who] ?? { is: "nobody" };
  const secret = presents === "secret" ? track.secret : `s-${"x".repeat(22)}`;
  const path = template
    .replace("/comments/{id}", `/comments/${comment}`)
    .replace("{commentId}", String(comment))
    .replace("{id}", String(track.id));
  const token = leavers.get(kind)?.[is] ?? tokens.get(who);
  const sends = method === "POST" || method === "PUT";
  const reply = await fetch(`${stack.urls.api}${path}${presents ? `?secret_token=${secret}` : ""}`, {
    method,
    headers: { ...(token && { Authorization: `OAuth ${token}` }), ...(sends && JSON_TYPE) },
    ...(sends && {
      body: JSON.stringify({ comment: method === "PUT" ? { timestamp: 1 } : { body: "Me too" } }),
    }),
  });
  return { status: reply.status, text: await reply.text() };
}

test("each documented operation on comments has a rule, and each rule an operation", async () => {
  const onComments = (await operations()).filter(({ template }) =>
    /^\/(?:comments|tracks\/\{\w+\}\/comments)(?:\/|$)/.test(template),
  );
  expect(Object.keys(RULES).sort()).toEqual(onComments.map(({ name }) => name).sort());
});

describe.each(Object.entries(RULES))("%s", (operation, { rule, uses }) => {
  test.each(Object.entries(KINDS))("on a track that is %s", async (name, kind) => {
    const found: Record<string, number> = {};
    const expected: Record<string, number> = {};
    const one = async (who: string, caller: Caller) => {
      const status = rule(caller, kind);
      const commented = uses && status === 200 ? await make(name, kind) : commentedOn(name);
      const reply = await ask(operation, who, name, commented);
      expected[who] = status;
      found[who] = reply.status;
      // A caller who may not see it learns neither its text nor the track's secret.
      if (!sees(caller, kind)) expect([who, reply.text.includes(WORDS)]).toEqual([who, false]);
      expect([who, reply.text.includes(commented.track.secret)]).toEqual([who, false]);
    };
    for (const [who, caller] of Object.entries(CALLERS)) await one(who, caller);
    expect(found).toEqual(expected);
  });
});

test.each(Object.keys(RULES))(
  "404: what a caller may not see answers %s like an unknown id (X1)",
  async (operation) => {
    const { track } = commentedOn("private");
    const never = { track: { ...track, id: 1 }, comment: 1 };
    const unseen = [never, ...["private", "deleted", "of a user who left"].map(commentedOn)];
    const replies = await Promise.all(unseen.map((each) => ask(operation, "another user", "private", each)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${withoutRequestId(text)}`)).size).toBe(1);
  },
);
