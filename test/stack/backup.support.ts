import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import pg from "pg";
import { expect } from "vitest";
import { s3Client } from "../../db/objects/s3-client.ts";
import { apiClient } from "../../workers/local/demo/upload.ts";
import type { Stack } from "../../workers/local/stack/stack.ts";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";

async function withOwner<T>({ databaseUrl }: Stack, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Row count of each table and a hash of all rows. */
export const contents = (stack: Stack) =>
  withOwner(stack, async (client) => {
    const { rows } = await client.query<{ name: string }>("SELECT data_tables()::text AS name");
    const hashes: Record<string, unknown> = {};
    for (const { name } of rows) {
      const text = `SELECT count(*)::int AS rows, md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS hash FROM ${name} t`;
      hashes[name] = (await client.query(text)).rows[0];
    }
    return hashes;
  });

/** Every object that a row names must be in storage. */
export async function missingObjects(stack: Stack): Promise<string[]> {
  const referenced = await withOwner(stack, (client) =>
    client.query<{ prefix: string; bucket: string }>("SELECT prefix, bucket FROM referenced_objects()"),
  );
  expect(referenced.rows.length).toBeGreaterThan(1);
  const objects = s3Client({
    S3_ENDPOINT: stack.urls.objects,
    S3_ACCESS_KEY_ID: stack.secrets.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: stack.secrets.S3_SECRET_ACCESS_KEY,
    S3_UPLOADS_BUCKET: UPLOADS_BUCKET,
    S3_MEDIA_BUCKET: MEDIA_BUCKET,
  });
  const missing: string[] = [];
  for (const { prefix, bucket } of referenced.rows) {
    const Bucket = bucket === "media" ? MEDIA_BUCKET : UPLOADS_BUCKET;
    const { KeyCount } = await objects.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
    if (!KeyCount) missing.push(prefix);
  }
  return missing;
}

export async function bytesOfStream(stack: Stack, token: string, id: number): Promise<number> {
  const call = apiClient(stack.urls.api, token);
  const streams = await call<{ http_mp3_128_url: string; hls_aac_160_url: string }>(
    "GET",
    `/tracks/${id}/streams`,
  );
  expect(await (await fetch(streams.hls_aac_160_url)).text()).toContain("#EXTM3U");
  const mp3 = await fetch(streams.http_mp3_128_url);
  expect(mp3.status).toBe(200);
  return (await mp3.arrayBuffer()).byteLength;
}

/** Writes comments, one after another, until told to stop. Returns what was acknowledged, with the time. */
export function keepCommenting({ urls }: Stack, token: string, track: number) {
  const call = apiClient(urls.api, token);
  const written: { body: string; atMs: number }[] = [];
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      const body = `comment ${written.length}`;
      await call("POST", `/tracks/${track}/comments`, { comment: { body, timestamp: 0 } });
      written.push({ body, atMs: Date.now() });
    }
  })();
  return {
    written,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

/** Takes plays, a file each, until told to stop, as the queue keeps them until they are counted. */
export function keepPlaying(dataDir: string) {
  const taken: { name: string; atMs: number }[] = [];
  const path = (name: string) => join(dataDir, "plays", name);
  let stopped = false;
  const running = (async () => {
    for (let number = 900_000_000_000; !stopped; number++) {
      const name = `${number}.ndjson`;
      writeFileSync(path(name), "");
      taken.push({ name, atMs: Date.now() });
      await sleep(5);
    }
  })();
  return {
    taken,
    stop: async () => {
      stopped = true;
      await running;
      for (const { name } of taken) rmSync(path(name));
    },
  };
}

export const commentsIn = (stack: Stack) =>
  withOwner(stack, async (client) => {
    const { rows } = await client.query<{ body: string }>("SELECT body FROM comments");
    return new Set(rows.map(({ body }) => body));
  });
