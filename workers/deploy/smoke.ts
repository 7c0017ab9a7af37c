import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../db/client.ts";
import { newClient } from "../../db/connection.ts";
import type { By } from "../../db/queries/acts.ts";
import { createApp, createGrant, createUser } from "../../db/queries/operators.ts";
import { newClientId } from "../../functions/api/apps/registration.ts";
import { permalinksOf } from "../../functions/auth/accounts/permalink.ts";
import { createClient } from "../../functions/client/index.ts";
import { uploadTrack } from "../../functions/client/upload.ts";
import { hashPassword } from "../../functions/lib/security/password.ts";
import { hashSecret, newSecret } from "../../functions/lib/security/random.ts";
import { usernameKeys } from "../../functions/lib/text/look-alike.ts";
import { toneFile } from "../build/tone.ts";
import { Refused } from "./wrangler.ts";

interface Tested {
  apiUrl: string;
  authUrl: string;
  /** The owner's address. */
  databaseUrl: string;
  log: (line: string) => void;
  /** Milliseconds for the service to answer, and for a second of audio to be encoded. */
  patienceMs?: number;
}

/** Minutes, because a new host waits for its certificate, and the first encode for a container. */
const PATIENCE_MS = 10 * 60_000;
const POLL_MS = 1_000;

/** Seconds. Nothing of the check outlives it. */
const SESSION_TTL_S = 3_600;

/** Selects accounts that killed checks have left. */
const LEFT_BEHIND = `SELECT user_id AS id FROM accounts
  WHERE email LIKE 'deploycheck%@invalid.example' AND created_at < now() - interval '${SESSION_TTL_S} seconds'`;

/** The audit log names it. */
const CHECK: By = { actor: "deploy check", reason: null };

/** Uses the service as a client does: a token, an upload of a second, its stream. It leaves nothing behind. */
export async function smokeTest({ log, ...tested }: Tested): Promise<void> {
  const { apiUrl, databaseUrl, patienceMs = PATIENCE_MS } = tested;
  await until(patienceMs, `${apiUrl}/readyz does not answer with 200`, async () => {
    const reply = await fetch(`${apiUrl}/readyz`).catch(() => undefined);
    await reply?.body?.cancel();
    return reply?.ok;
  });
  log("Ready: database, storage and keys");
  await removeVisitors(databaseUrl, LEFT_BEHIND);
  const visitor = await createVisitor(databaseUrl);
  try {
    const client = createClient({ apiUrl, token: await tokenOf(tested.authUrl, visitor) });
    log("A token was issued");
    const file = new Blob([new Uint8Array(toneFile(1))], { type: "audio/wav" });
    const { id } = await uploadTrack(
      client,
      file,
      { title: "Deploy check", sharing: "private" },
      { name: "check.wav" },
    );
    const path = { id };
    await until(patienceMs, "the upload was not encoded", async () => {
      const { state } = await client.get("/tracks/{id}", { path });
      if (state === "failed") throw new Refused("The check's upload could not be encoded");
      return state === "finished";
    });
    log("A second of audio was uploaded and encoded");
    const { hls_aac_160_url } = await client.get("/tracks/{id}/streams", { path });
    log(`Its stream plays: ${await firstSegment(hls_aac_160_url ?? "")} bytes in the first segment`);
    await client.delete("/tracks/{id}", { path });
  } finally {
    await removeVisitors(databaseUrl, "SELECT $1::bigint AS id", visitor.id);
  }
}

interface Visitor {
  id: number;
  clientId: string;
  clientSecret: string;
  refreshToken: string;
}

/** Each check creates an account, because a permanent one would be a credential to guard. */
async function createVisitor(databaseUrl: string): Promise<Visitor> {
  const db = openDatabase({ DATABASE_URL: databaseUrl, DATABASE_TRANSPORT: "pg" });
  const username = `deploycheck${randomBytes(6).toString("hex")}`;
  const name = { username, ...usernameKeys(username), ...(await permalinksOf(username)) };
  const password_hash = await hashPassword(newSecret("ss"));
  const account = {
    email: `${username}@invalid.example`,
    password_hash,
    plan: "artist",
    confirmed: true,
  } as const;
  const id = await createUser(db, CHECK, { ...name, ...account });
  const user = { id, permalink: name.permalink, username_key: name.username_key, username: null };
  const [clientId, clientSecret, refreshToken] = [newClientId(), newSecret("cs"), newSecret("rt")];
  await createApp(db, CHECK, {
    owner: user,
    clientId,
    secretHash: hashSecret(clientSecret),
    name: "Deploy check",
    permalink: username,
    redirectUris: ["http://127.0.0.1/callback"],
    externalUrl: null,
  });
  const lifetimes = { sessionTtlS: SESSION_TTL_S, refreshTtlS: SESSION_TTL_S };
  await createGrant(db, CHECK, { clientId, user, refreshHash: hashSecret(refreshToken), ...lifetimes });
  return { id, clientId, clientSecret, refreshToken };
}

/** Deletes accounts; the sweep erases everything that belongs to them. */
async function removeVisitors(databaseUrl: string, which: string, ...values: number[]): Promise<void> {
  const client = newClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(which, values);
    for (const { id } of rows) {
      await client.query("UPDATE users SET disabled_at = now() WHERE id = $1", [id]);
      await client.query("UPDATE sessions SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL", [
        id,
      ]);
      await client.query("UPDATE apps SET disabled_at = now() WHERE owner_id = $1", [id]);
      await client.query("DELETE FROM accounts WHERE user_id = $1", [id]);
    }
  } finally {
    await client.end();
  }
}

async function tokenOf(authUrl: string, { clientId, clientSecret, refreshToken }: Visitor): Promise<string> {
  const form = { grant_type: "refresh_token", refresh_token: refreshToken };
  const app = { client_id: clientId, client_secret: clientSecret };
  const reply = await fetch(`${authUrl}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ ...form, ...app }),
  });
  if (!reply.ok) throw new Refused(`${authUrl}/oauth/token: ${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { access_token: string }).access_token;
}

/** Follows the playlists to a segment and returns its length in bytes. */
async function firstSegment(url: string): Promise<number> {
  const reply = await fetch(url);
  if (!reply.ok) throw new Refused(`The stream answers ${reply.status}`);
  if (!/mpegurl/i.test(reply.headers.get("Content-Type") ?? ""))
    return (await reply.arrayBuffer()).byteLength;
  const [next] = (await reply.text()).split(/\r?\n/).filter((line) => line && !line.startsWith("#"));
  if (!next) throw new Refused("The stream's playlist is empty");
  return firstSegment(new URL(next, url).href);
}

async function until(
  patienceMs: number,
  failure: string,
  done: () => Promise<boolean | undefined>,
): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await done()); await sleep(POLL_MS))
    if (Date.now() > deadline) throw new Refused(`After ${patienceMs / 60_000} minutes ${failure}`);
}
