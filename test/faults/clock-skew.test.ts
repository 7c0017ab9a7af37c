import { randomUUID } from "node:crypto";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { decodeJwt, importJWK, type JWK, SignJWT } from "jose";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { AuthServer, atOnce, expectError } from "../support/oauth.ts";
import { shortWav, storageOf } from "../support/tracks.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

let own: FaultyStack;
/** Sees the same database clock as the service. */
let auth: AuthServer;

beforeAll(async () => {
  own = await startFaultyStack();
  const database = new URL(own.stack.databaseUrl);
  database.searchParams.set("options", "-c search_path=skewed,pg_catalog,public");
  auth = new AuthServer({ ...own.stack, databaseUrl: database.href });
});

afterAll(async () => {
  // Column defaults use the true clock, but the shifted one set the ends of sessions.
  await own.auth.sql("update sessions set revoked_at = pg_catalog.now() where revoked_at is not null");
  await own.stop();
});

/** Shifts the database's clock for the service's role. Ends connections that know the true time. */
async function skew(minutes: number): Promise<void> {
  const clock = (name: string, volatility: string) =>
    `create or replace function skewed.${name}() returns timestamptz language sql ${volatility} as
     $$ select pg_catalog.${name}() + interval '${minutes} minutes' $$;`;
  await own.auth.sql(
    `create schema if not exists skewed; grant usage on schema skewed to soundpost_app;
     ${clock("now", "stable")} ${clock("statement_timestamp", "stable")} ${clock("clock_timestamp", "volatile")}`,
  );
  const service = new pg.Client({ connectionString: own.stack.appDatabaseUrl });
  await service.connect();
  await service.query("alter role current_user set search_path = skewed, pg_catalog, public");
  await service.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and pid <> pg_backend_pid()",
  );
  await service.end();
}

/** The session's token, expired for this long by the Worker's clock. */
async function expired(token: string, secondsAgo: number): Promise<string> {
  const { keys } = JSON.parse(own.stack.secrets.JWT_KEYS) as { keys: JWK[] };
  const [key] = keys as [JWK];
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...decodeJwt(token), iat: now - 3_600, exp: now - secondsAgo })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: key.kid ?? "" })
    .sign(await importJWK(key, "ES256"));
}

async function createQueuedTrack(): Promise<number> {
  const key = `in/1/${randomUUID()}`;
  const wav = new Uint8Array(await shortWav().arrayBuffer());
  await storageOf(own.stack).send(new PutObjectCommand({ Bucket: UPLOADS_BUCKET, Key: key, Body: wav }));
  const [made] = await own.auth.sql<{ id: number }>(
    `with made as (
       insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
         original_content_size, state)
       values ($1, 'Skewed', md5($2), sha256($2::bytea), '', $2, 'song.wav', $3, 'processing') returning id)
     insert into encoding_jobs (track_id, state, next_run_at) select id, 'queued', now() - interval '10 minutes' from made
     returning track_id::float8 as id`,
    [await own.auth.createUser(), key, wav.length],
  );
  return made?.id ?? 0;
}

describe.each([
  ["ahead of", 5],
  ["behind", -5],
])("with the database's clock five minutes %s the Worker's (F52)", (_where, minutes) => {
  beforeAll(() => skew(minutes));

  test("the service's own connections see the shifted clock", async () => {
    const service = new pg.Client({ connectionString: own.stack.appDatabaseUrl });
    await service.connect();
    const { rows } = await service.query(
      "select extract(epoch from now() - pg_catalog.now())::float8 / 60 as off",
    );
    await service.end();
    expect(rows).toEqual([{ off: minutes }]);
  });

  test("users sign in, refresh and sign out", async () => {
    const { app, tokens } = await auth.signedIn();
    expect(await auth.me(tokens.access_token)).toBe(200);
    const refreshed = await auth.refresh(app, tokens.refresh_token);
    expect(refreshed.status).toBe(200);
    expect(await auth.me(refreshed.body.access_token)).toBe(200);
    expect((await auth.signOut(refreshed.body.access_token)).status).toBe(200);
    expect(await auth.me(refreshed.body.access_token)).toBe(401);
  });

  test("a token is refused five seconds past its expiry, by the Worker's clock alone", async () => {
    const { tokens } = await auth.signedIn();
    // Each try has a token of its own, which a busy machine may take in too late.
    await expect.poll(async () => auth.me(await expired(tokens.access_token, 1))).toBe(200);
    expect(await auth.me(await expired(tokens.access_token, 7))).toBe(401);
    expect(await auth.me(await expired(tokens.access_token, -3_600))).toBe(200);
  });

  // A use has arrived when its statement begins, if the database's clock is behind. A busy machine begins it 50 ms late.
  test("concurrent uses of a refresh token still count as a race", { retry: 3 }, async () => {
    const { app, tokens } = await auth.signedIn();
    const answers = await atOnce(2, (asked) => auth.refresh(app, tokens.refresh_token, {}, asked));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect((await auth.refresh(app, won[0]?.body.refresh_token ?? "")).status).toBe(200);
  });

  test("a job is leased, renewed and finished by the database's clock, in one attempt", async () => {
    const id = await createQueuedTrack();
    await expect
      .poll(
        async () => {
          await own.stack.worker.scheduled({ cron: "* * * * *" });
          return own.auth.sql(
            "select t.state, j.attempt, j.failure_reason as reason from tracks t join encoding_jobs j on j.track_id = t.id where t.id = $1",
            [id],
          );
        },
        { timeout: 100_000, interval: 500 },
      )
      .toEqual([{ state: "finished", attempt: 1, reason: null }]);
  });
});

describe("a refresh token used again later (F52)", () => {
  test.each([
    ["ahead of", 5],
    ["behind", -5],
  ])(
    "is a replay and ends its family, with the database's clock %s the Worker's",
    async (_where, minutes) => {
      await skew(minutes);
      const { app, tokens } = await auth.signedIn();
      const next = (await auth.refresh(app, tokens.refresh_token)).body;
      // The Worker's clock is trusted within ten seconds.
      await new Promise((wake) => setTimeout(wake, 11_000));
      expectError(await auth.refresh(app, tokens.refresh_token), 400, "invalid_grant");
      expectError(await auth.refresh(app, next.refresh_token), 400, "invalid_grant");
      expect(await auth.me(next.access_token)).toBe(401);
    },
  );
});
