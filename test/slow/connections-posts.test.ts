import { expect, test, vi } from "vitest";
import { sealTokens } from "../../functions/api/connections/tokens.ts";
import { unseal } from "../../functions/lib/security/sealing.ts";
import { connectionsOf, createConnection, roundTrip } from "../api/connections/connections.support.ts";
import { api } from "../support/api.ts";
import { askDuring } from "../support/open-transaction.ts";
import { operate } from "../support/operate.ts";
import { createUser, type Person } from "../support/people.ts";
import { deliver, sql, stack } from "../support/stack.ts";
import { createPlayableTrack } from "../support/tracks.ts";

// A cron sends due posts, and some of these wait for several runs.
vi.setConfig({ testTimeout: 240_000 });

interface Posted {
  by: string;
  key: string;
  fields: { profile: string; message: string; link: string };
}

/** Posts by this name at the service. Names are unique per user. */
const postsBy = async (name: string) =>
  ((await (await fetch(`${stack.urls.api}/dev/social/posts.json`)).json()) as Posted[]).filter(
    ({ by }) => by === name,
  );

const messagesBy = async (name: string) => (await postsBy(name)).map(({ fields }) => fields.message);

const like = (who: Person, { id }: { id: number }) => api.as(who).post(`/likes/tracks/${id}`);

const createNamedTrack = (who: Person, title: string, fields: object = {}) =>
  createPlayableTrack(who, { title, ...fields });

/** Simulates a job that posts at the user's connections. */
const holdPosts = (who: Person) =>
  sql("update connections set leased_until = now() + interval '1 hour' where user_id = $1", [who.id]);

const releasePosts = (who: Person) =>
  sql("update connections set leased_until = null where user_id = $1", [who.id]);

const eventually = (name: string) => expect.poll(() => messagesBy(name));

test("a like is posted once, to the connections that asked for likes", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const made = await createConnection(ana, ana.username, { post_favorite: true });
  const [first, second] = [await createNamedTrack(ben, "First"), await createNamedTrack(ben, "Second")];
  const hidden = await createNamedTrack(ana, "Hidden", { sharing: "private" });
  await like(ana, hidden);
  await like(ana, first);
  await eventually(ana.username).toEqual([`Liked “First” by ${ben.username}`]);
  await api.as(ana).delete(`/likes/tracks/${first.id}`);
  await like(ana, first);
  await like(ana, second);
  await eventually(ana.username).toHaveLength(2);
  const [, last] = await postsBy(ana.username);
  const [stored] = await sql<{ external_id: string; permalink: string }>(
    "select c.external_id, t.permalink from connections c, tracks t where c.id = $1 and t.id = $2",
    [made.id, second.id],
  );
  expect(last?.fields).toEqual({
    profile: stored?.external_id,
    message: `Liked “Second” by ${ben.username}`,
    link: `${stack.urls.api}/${ben.username}/${stored?.permalink}`,
  });
});

test("a newly public track is posted, also by pages, to the connections that asked for it", async () => {
  const ana = await createUser();
  const [page, quiet] = [`page-${ana.username}`, `quiet-${ana.username}`];
  await roundTrip(ana, { service: "facebook_page", post_publish: true }, { pages: page });
  await roundTrip(ana, {}, { name: quiet });
  const track = await createNamedTrack(ana, "Out now", { sharing: "private" });
  const share = (sharing: string) => api.as(ana).put(`/tracks/${track.id}`, { json: { track: { sharing } } });
  await share("public");
  await eventually(page).toEqual(["New: “Out now”"]);
  await share("private");
  await share("public");
  expect(await sql("select from connection_posts where track_id = $1", [track.id])).toHaveLength(1);
  expect(await messagesBy(quiet)).toEqual([]);
});

test("a like and a publication succeed while the connection that would post them is deleted", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const liked = await createNamedTrack(ben, "Liked");
  const shared = await createNamedTrack(ana, "Shared", { sharing: "private" });
  const share = () => api.as(ana).put(`/tracks/${shared.id}`, { json: { track: { sharing: "public" } } });
  for (const ask of [() => like(ana, liked), share]) {
    const { id } = await createConnection(ana, ana.username, { post_favorite: true, post_publish: true });
    const { status } = await askDuring("delete from connections where id = $1", [id], ask);
    expect(status).toBe(200);
  }
});

test("a like or track withdrawn before its post is not posted", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  await createConnection(ana, ana.username, { post_favorite: true });
  await holdPosts(ana);
  const [taken, otherTrack] = [
    await createNamedTrack(ben, "Taken back"),
    await createNamedTrack(ben, "Kept"),
  ];
  await like(ana, taken);
  await like(ana, otherTrack);
  await api.as(ana).delete(`/likes/tracks/${taken.id}`);
  await releasePosts(ana);
  await eventually(ana.username).toEqual([`Liked “Kept” by ${ben.username}`]);
});

test("a post that waits is dropped once its user wants no more of its kind", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const fields = { post_favorite: true, post_publish: true };
  const { id } = await createConnection(ana, ana.username, fields);
  await holdPosts(ana);
  const track = await createNamedTrack(ana, "Out now", { sharing: "private" });
  await api.as(ana).put(`/tracks/${track.id}`, { json: { track: { sharing: "public" } } });
  await like(ana, await createNamedTrack(ben, "Liked"));
  await api.as(ana).put(`/me/connections/${id}`, { json: { post_publish: false } });
  await releasePosts(ana);
  await eventually(ana.username).toEqual([`Liked “Liked” by ${ben.username}`]);
});

test("a failed post is sent later, once", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  await roundTrip(ana, { post_favorite: true }, { name: ana.username, behaviour: "posts-later" });
  const { id } = await createNamedTrack(ben, "Later");
  await like(ana, { id });
  const waiting = () =>
    sql("select attempts, due_at > now() as later from connection_posts where track_id = $1", [id]);
  await expect.poll(waiting).toEqual([{ attempts: 1, later: true }]);
  await sql("update connection_posts set due_at = now() where track_id = $1", [id]);
  await eventually(ana.username).toHaveLength(1);
  await expect.poll(waiting).toEqual([{ attempts: 2, later: null }]);
});

test("a like is posted neither after its user's suspension nor while the track's owner is suspended", async () => {
  const [ana, ben, label] = [await createUser(), await createUser(), await createUser()];
  const track = await createNamedTrack(label, "Kept back");
  for (const who of [ana, ben]) {
    await createConnection(who, who.username, { post_favorite: true });
    await holdPosts(who);
    await like(who, track);
  }
  for (const who of [ana, label]) await operate("user suspend", "--user", who.username, "--reason", "Spam");
  await operate("user restore", "--user", ana.username);
  for (const who of [ana, ben]) await releasePosts(who);
  const waiting = () => sql("select 1 from connection_posts where track_id = $1", [track.id]);
  await expect.poll(waiting).toEqual([]);
  for (const who of [ana, ben]) expect(await messagesBy(who.username)).toEqual([]);
});

test("a service that refuses is not asked again: the connection stays and says so", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const fields = { post_favorite: true, post_publish: true };
  await roundTrip(ana, fields, { name: ana.username, behaviour: "takes-no-posts" });
  await like(ana, await createNamedTrack(ben, "Refused"));
  await expect
    .poll(() => connectionsOf(ana))
    .toMatchObject([{ display_name: ana.username, post_favorite: false, post_publish: false }]);
  expect(await messagesBy(ana.username)).toEqual([]);
});

test("a profile that is connected anew stays on, although a job with its older token is refused", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const connect = () => roundTrip(ana, { post_favorite: true }, { name: ana.username });
  await connect();
  const [job] = await sql<{ id: number; lease: string }>(
    `update connections set leased_until = now() + interval '1 hour' where user_id = $1
     returning id::float8 as id, leased_until::text as lease`,
    [ana.id],
  );
  const { id } = await createNamedTrack(ben, "Asked twice");
  await like(ana, { id });
  await connect();
  const refused = "select settle_connection_posts($1, $2::timestamptz, '{}', true, 1, 1) as had_lease";
  expect(await sql(refused, [job?.id, job?.lease])).toEqual([{ had_lease: false }]);
  expect(await connectionsOf(ana)).toMatchObject([{ post_favorite: true }]);
  expect(
    await sql("select due_at is not null as waits from connection_posts where track_id = $1", [id]),
  ).toEqual([{ waits: true }]);
});

test("an expiring token is renewed before use", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const { id } = await createConnection(ana, ana.username, { post_favorite: true });
  const sealedOf = async () =>
    (await sql<{ sealed: Buffer }>("select tokens_sealed as sealed from connections where id = $1", [id]))[0]
      ?.sealed ?? Buffer.alloc(0);
  const { client, ...tokens } = JSON.parse(unseal(stack.secrets, await sealedOf()) ?? "");
  const ended = sealTokens(
    stack.secrets,
    { ...tokens, access_token: "ended", expires_at: Date.now() },
    client,
  );
  await sql("update connections set tokens_sealed = $2::text::bytea where id = $1", [id, ended]);
  for (const title of ["One", "Two"]) {
    await like(ana, await createNamedTrack(ben, title));
    await eventually(ana.username).toContain(`Liked “${title}” by ${ben.username}`);
  }
  expect(unseal(stack.secrets, await sealedOf())).not.toContain("ended");
});

test("a repeated, empty or malformed message changes nothing", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const { id } = await createConnection(ana, ana.username, { post_favorite: true });
  await like(ana, await createNamedTrack(ben, "Once"));
  await eventually(ana.username).toHaveLength(1);
  const outcome = await deliver("connection-posts", [
    { body: { connection: id } },
    { body: { connection: 1 } },
    { body: { connection: "x" } },
  ]);
  expect(outcome.explicitAcks).toHaveLength(3);
  expect(await messagesBy(ana.username)).toHaveLength(1);
});
