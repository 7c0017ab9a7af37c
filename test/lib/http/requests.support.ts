import { randomBytes } from "node:crypto";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { expect } from "vitest";
import { UPLOADS_BUCKET } from "../../../workers/local/worker/bindings.ts";
import type { FaultyStack } from "../../faults/faulty-stack.ts";
import type { AuthServer } from "../../support/oauth.ts";
import { storageOf } from "../../support/tracks.ts";

/** Sends requests to a stack other than the shared one. */
export const sender =
  ({ stack, ledger }: FaultyStack) =>
  async (method: string, path: string, token?: string, json?: unknown, key?: string) => {
    const reply = await fetch(stack.urls.api + path, {
      method,
      redirect: "manual",
      headers: {
        ...(token !== undefined && { Authorization: `OAuth ${token}` }),
        ...(json !== undefined && { "Content-Type": "application/json" }),
        ...(key !== undefined && { "Idempotency-Key": key }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get("Content-Type")?.startsWith("application/json");
    const { pathname } = new URL(reply.url);
    ledger.note({
      method,
      path: pathname,
      sent: json,
      status: reply.status,
      body: isJson && text ? JSON.parse(text) : text,
      key: key && `${token} ${key}`,
    });
    return { status: reply.status, headers: reply.headers, text };
  };

export type Sent = Awaited<ReturnType<ReturnType<typeof sender>>>;

function expectOutage({ status, text }: Sent, expected: number): void {
  expect(status, text).toBe(expected);
  expect(JSON.parse(text)).toMatchObject({
    code: expected,
    message: expect.stringContaining(`${expected} - `),
    errors: [{ error_message: expect.any(String) }],
    error: null,
  });
  expect(text).not.toMatch(/select|postgres|neon|fetch|_v1/i);
}

/** Expects that nothing was done, with a time to retry. */
export function expectUnavailable(answer: Sent): void {
  expectOutage(answer, 503);
  expect(answer.headers.get("Retry-After")).toMatch(/^([5-9]|[12]\d|30)$/);
}

/** Expects an unknown outcome. */
export const expectUnanswered = (answer: Sent): void => expectOutage(answer, 504);

/** A public track that no transcoder sees. */
export async function createTrack(auth: AuthServer, userId?: number): Promise<number> {
  const name = randomBytes(8).toString("hex");
  const [made] = await auth.sql<{ id: number }>(
    `with made as (insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
         original_content_size)
       values ($1, 'A stored song', $2, sha256($3), $3, $2, 'song.wav', 1000) returning id), job as (
       insert into encoding_jobs (track_id, state, next_run_at) select id, 'queued', 'infinity' from made)
     select id::float8 as id from made`,
    [userId ?? (await auth.createUser()), name, Buffer.from(name)],
  );
  return made?.id ?? 0;
}

/** The state after completion. */
export async function createReadyUpload({ auth, stack }: FaultyStack, userId: number): Promise<number> {
  const key = `in/${userId}/${randomBytes(8).toString("hex")}`;
  await storageOf(stack).send(
    new PutObjectCommand({ Bucket: UPLOADS_BUCKET, Key: key, Body: new Uint8Array(1000) }),
  );
  const [made] = await auth.sql<{ id: number }>(
    `insert into uploads (user_id, filename, size, type, status, part_size, part_count, object_key, expires_at)
     values ($1, 'song.wav', 1000, 'audio/wav', 'ready', 5242880, 1, $2, now() + interval '1 hour')
     returning id::float8 as id`,
    [userId, key],
  );
  return made?.id ?? 0;
}
