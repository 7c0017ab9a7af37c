import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { sealTokens } from "../../../functions/api/connections/tokens.ts";
import { listenForWorker } from "../../../workers/local/worker/loopback.ts";
import { type FaultyStack, startFaultyStack } from "../../faults/faulty-stack.ts";
import { siteCookieOf } from "../../support/site-session.ts";
import { STORED_MEDIA } from "../../support/tracks.ts";
import { BACK, stateIn } from "./connections.support.ts";

/** Bodies of posts and of requests for tokens that reached the service, and its answer to the latter. */
let posted: string[];
let renewed: URLSearchParams[];
let renewal: { status: number; body: object };

/** Happens before the service tells the profile. */
let beforeProfile: () => Promise<unknown>;

/** A service that answers a post with the status that the track's title names, or hangs up at 0. */
const service = createServer(async (request, response) => {
  const sent = await text(request);
  const send = (status: number, body: object) =>
    void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  if (request.url === "/token") {
    renewed.push(new URLSearchParams(sent));
    return send(renewal.status, renewal.body);
  }
  if (request.url === "/me") {
    await beforeProfile();
    return send(200, { id: "1", name: "Ana" });
  }
  posted.push(sent);
  const status = Number(/“(\d+)”/.exec(sent)?.[1]);
  return status ? send(status, {}) : void request.destroy();
});

let own: FaultyStack;
let owner: number;

beforeAll(async () => {
  const here = `http://127.0.0.1:${await listenForWorker(service)}`;
  const twitter = {
    client_id: "soundpost",
    client_secret: "a-secret-of-ours",
    authorization_endpoint: "https://social.example/authorize",
    token_endpoint: `${here}/token`,
    profiles: [{ endpoint: `${here}/me` }],
    post: { endpoint: `${here}/posts`, body: { message: "{text}" } },
  };
  own = await startFaultyStack({ CONNECTION_SERVICES: JSON.stringify({ twitter }) }, 0);
  owner = await own.auth.createUser();
});
beforeEach(() => {
  [posted, renewed] = [[], []];
});
afterEach(() => own.auth.sql("delete from tracks"));
afterAll(async () => {
  await own?.stop();
  service.close();
});

/** A user's connection that posts likes. */
async function connect(tokens: { expires_at?: number; refresh_token?: string } = {}) {
  const user = await own.auth.createUser();
  const [made] = await own.auth.sql<{ id: number }>(
    `insert into connections (user_id, service, external_id, display_name, tokens_sealed, post_favorite, post_publish)
     values ($1, 'twitter', '1', 'Ana', $2::text::bytea, true, false) returning id::float8 as id`,
    [user, sealTokens(own.stack.secrets, { access_token: "first", ...tokens }, "twitter")],
  );
  return { user, id: made?.id ?? 0 };
}

type Connected = Awaited<ReturnType<typeof connect>>;

/** Likes a track of this title, and returns its id. */
async function like({ user }: Connected, title: string): Promise<number> {
  const key = randomUUID();
  const [track] = await own.auth.sql<{ id: number }>(
    `insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size, state, media_prefix, media, duration_ms)
     values ($1, $2, $3::text, sha256($3::text::bytea), '', 'in/' || $3, 'song.wav', 4, 'finished', $3, $4, 10000)
     returning id::float8 as id`,
    [owner, title, key, JSON.stringify(STORED_MEDIA)],
  );
  await own.auth.sql("insert into favorites (user_id, track_id) values ($1, $2)", [user, track?.id]);
  return track?.id ?? 0;
}

/** Sends what is due. Returns the titles, and whether they wait for another attempt. */
async function post({ id }: Connected) {
  const message = { id: "one", timestamp: new Date(), attempts: 1, body: { connection: id } };
  await own.stack.worker.queue("connection-posts", [message]);
  return own.auth.sql<{ title: string; attempts: number; waits: boolean }>(
    `select t.title, p.attempts, p.due_at is not null as waits
     from connection_posts p join tracks t on t.id = p.track_id where p.connection_id = $1 order by p.id`,
    [id],
  );
}

const waiting = (posts: { title: string; waits: boolean }[]) =>
  posts.filter(({ waits }) => waits).map(({ title }) => title);

test("a post is tried again if the service may take it later, and otherwise ends", async () => {
  const connection = await connect();
  for (const title of ["201", "404", "408", "429", "503"]) await like(connection, title);
  expect(waiting(await post(connection))).toEqual(["408", "429", "503"]);
});

test("the wait doubles with each failure of a post, and the ninth is the last", async () => {
  const connection = await connect();
  for (const failures of [0, 1, 7, 8]) {
    const track = await like(connection, "503");
    await own.auth.sql("update connection_posts set attempts = $2 where track_id = $1", [track, failures]);
  }
  await post(connection);
  const posts = await own.auth.sql(
    `select attempts, extract(epoch from due_at - min(due_at) over ())::int as later from connection_posts
     where connection_id = $1 order by attempts`,
    [connection.id],
  );
  expect(posts).toEqual([
    { attempts: 1, later: 0 },
    { attempts: 2, later: 60 - 30 },
    { attempts: 8, later: 30 * 2 ** 7 - 30 },
    { attempts: 9, later: null },
  ]);
});

test("a service that hangs up gets again only what it has not taken", async () => {
  const connection = await connect();
  for (const title of ["201", "0", "200"]) await like(connection, title);
  expect(waiting(await post(connection))).toEqual(["0", "200"]);
  expect(posted).toHaveLength(2);
});

test("a refresh token stays good if the service returns no other", async () => {
  const connection = await connect({ expires_at: Date.now(), refresh_token: "kept" });
  renewal = { status: 200, body: { access_token: "next", token_type: "bearer", expires_in: 1 } };
  for (const title of ["201", "200"]) {
    await like(connection, title);
    expect(waiting(await post(connection))).toEqual([]);
  }
  expect(renewed.map((sent) => sent.get("refresh_token"))).toEqual(["kept", "kept"]);
  expect(posted).toHaveLength(2);
});

test("a renewal that fails ends a connection's posts only if the service refuses its grant", async () => {
  const connection = await connect({ expires_at: Date.now(), refresh_token: "kept" });
  const isOn = async () => {
    const [row] = await own.auth.sql("select post_favorite as on from connections where id = $1", [
      connection.id,
    ]);
    return row?.on;
  };
  await like(connection, "201");
  renewal = { status: 400, body: { error: "temporarily_unavailable" } };
  expect([waiting(await post(connection)), await isOn()]).toEqual([["201"], true]);
  renewal = { status: 400, body: { error: "invalid_grant" } };
  await own.auth.sql("update connection_posts set due_at = now() where connection_id = $1", [connection.id]);
  expect([await post(connection), await isOn()]).toEqual([[], false]);
  expect(posted).toEqual([]);
});

test("a profile is connected only if the session that asked still lives once the service has answered", async () => {
  renewal = { status: 200, body: { access_token: "first", token_type: "bearer" } };
  const { tokens, userId } = await own.auth.signedIn();
  const { api } = own.stack.urls;
  const Cookie = await siteCookieOf(userId, (words, values) => own.auth.sql(words, values), api);
  const connectedAfter = async (event: () => Promise<unknown>) => {
    beforeProfile = event;
    const headers = { Authorization: `OAuth ${tokens.access_token}` };
    const body = new URLSearchParams({ service: "twitter", redirect_uri: BACK });
    const begun = await fetch(`${api}/me/connections`, { method: "POST", headers, body });
    const { authorize_url } = (await begun.json()) as { authorize_url: string };
    const callback = `${api}/connections/callback?code=c&state=${stateIn(authorize_url)}`;
    const reply = await fetch(callback, { redirect: "manual", headers: { Cookie } });
    const found = await own.auth.sql("select display_name from connections where user_id = $1", [userId]);
    return [reply.headers.get("Location"), found.length];
  };
  const signOut = () =>
    fetch(`${api}/sign-out`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ access_token: tokens.access_token }),
    });
  expect(await connectedAfter(async () => {})).toEqual([`${BACK}&success=true`, 1]);
  await own.auth.sql("delete from connections where user_id = $1", [userId]);
  expect(await connectedAfter(signOut)).toEqual([`${BACK}&success=false`, 0]);
});
