import { createHash } from "node:crypto";
import { GetObjectCommand, ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import { afterAll, expect } from "vitest";
import type { Stack } from "../../workers/local/stack/stack.ts";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { ledger } from "./api.ts";
import { GIVEN, INVARIANTS } from "./invariants.ts";
import type { Ledger } from "./ledger.ts";
import type { AuthServer } from "./oauth.ts";
import { createdUserIds, createUser } from "./people.ts";
import { sql, stack } from "./stack.ts";
import { s3, storageOf } from "./tracks.ts";

const BUCKETS = { uploads: UPLOADS_BUCKET, media: MEDIA_BUCKET };

/** The place to check. */
interface Place {
  sql: (text: string, values: unknown[]) => Promise<{ broken: string }[]>;
  storage: S3Client;
  ledger: Ledger;
  /** `undefined` means everyone. */
  users: number[] | undefined;
  status(path: string): Promise<number>;
}

const statusAt = async (url: string, token: string) =>
  (await fetch(url, { headers: { Authorization: `OAuth ${token}` } })).status;

/** The shared stack, where other files' users are active. */
const shared = (users: number[]): Place => ({
  sql,
  storage: s3,
  ledger,
  users,
  status: async (path) => statusAt(stack.urls.api + path, (await createUser()).token),
});

/** A stack that no other file uses. */
interface OwnStack {
  stack: Stack;
  auth: AuthServer;
  ledger: Ledger;
}

const whole = ({ stack: own, auth, ledger: repliesJson }: OwnStack): Place => ({
  sql: auth.sql.bind(auth),
  storage: storageOf(own),
  ledger: repliesJson,
  users: undefined,
  status: async (path) => statusAt(own.urls.api + path, (await auth.signedIn()).tokens.access_token),
});

interface StoredObject {
  bucket: keyof typeof BUCKETS;
  key: string;
  size: number;
  age_s: number;
  sha256?: string;
}

async function listed(storage: S3Client, bucket: keyof typeof BUCKETS, prefix: string, atMs: number) {
  const found: StoredObject[] = [];
  let next: string | undefined;
  do {
    const page = await storage.send(
      new ListObjectsV2Command({ Bucket: BUCKETS[bucket], Prefix: prefix, ContinuationToken: next }),
    );
    for (const { Key: key = "", Size: size = 0, LastModified } of page.Contents ?? [])
      found.push({ bucket, key, size, age_s: (atMs - (LastModified?.getTime() ?? atMs)) / 1000 });
    next = page.NextContinuationToken;
  } while (next);
  return found;
}

async function objectsOf({ storage, users, sql: query, ledger: repliesJson }: Place, atMs: number) {
  const tracks = await query(
    "select id::text as broken from tracks where $1::bigint[] is null or user_id = any($1)",
    [users ?? null],
  );
  const prefixes = users
    ? ([
        ...users.map((user) => ["uploads", `in/${user}/`]),
        ...[...tracks.map(({ broken }) => broken), ...repliesJson.deleted].map((id) => ["media", `t/${id}/`]),
      ] as ["uploads" | "media", string][])
    : ([
        ["uploads", ""],
        ["media", ""],
      ] as ["uploads" | "media", string][]);
  const objects: StoredObject[] = [];
  for (const [bucket, prefix] of prefixes) objects.push(...(await listed(storage, bucket, prefix, atMs)));
  const sent = await query("select original_key as broken from tracks where id = any($1)", [
    [...repliesJson.originals.keys()],
  ]);
  const hashed = new Set(sent.map(({ broken }) => broken));
  for (const object of objects.filter(({ bucket, key }) => bucket === "uploads" && hashed.has(key))) {
    const { Body } = await storage.send(new GetObjectCommand({ Bucket: UPLOADS_BUCKET, Key: object.key }));
    object.sha256 = sha256((await Body?.transformToByteArray()) ?? new Uint8Array());
  }
  return objects;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function ledgerOf({ ledger: repliesJson, status }: Place) {
  const originals: { track: number; sha256: string }[] = [];
  for (const [track, file] of repliesJson.originals)
    originals.push({ track, sha256: sha256(new Uint8Array(await file.arrayBuffer())) });
  const answers: { track: number; status: number }[] = [];
  for (const track of repliesJson.deleted)
    for (const path of [`/tracks/${track}`, `/tracks/${track}/streams`])
      answers.push({ track, status: await status(path) });
  return {
    originals,
    answers,
    replies: repliesJson.replies,
    deleted: [...repliesJson.deleted],
    accepted: [...repliesJson.accepted].filter((id) => !repliesJson.deleted.has(id)),
    claimed: [...repliesJson.claimed],
    refused_uploads: repliesJson.refused("uploads"),
    refused_apps: repliesJson.refused("apps"),
  };
}

/** Broken rules with the rows that break them. Objects get their age at `atMs`. */
async function brokenAt(place: Place, atMs: number): Promise<string[]> {
  const repliesJson = JSON.stringify(await ledgerOf(place));
  const objects = JSON.stringify(await objectsOf(place, atMs));
  const broken: string[] = [];
  for (const [name, { rule, broken: query }] of Object.entries(INVARIANTS)) {
    const rows = await place.sql(`${GIVEN} ${query}`, [place.users ?? null, objects, repliesJson]);
    broken.push(...rows.map((row) => `${name}, ${rule}: ${row.broken}`));
  }
  return broken;
}

/** Storage and database are not read at one moment, so only repeated violations count. */
async function brokenIn(place: Place, atMs = Date.now()): Promise<string[]> {
  const first = await brokenAt(place, atMs);
  if (!first.length) return [];
  const again = new Set(await brokenAt(place, atMs));
  return first.filter((one) => again.has(one));
}

/** Checks everything of these users on the shared stack, or on the file's own. */
export const brokenInvariants = (users: number[], faulty?: OwnStack): Promise<string[]> =>
  brokenIn(faulty ? { ...whole(faulty), users } : shared(users));

/** Checks everything on the file's own stack. */
export const brokenInvariantsOf = (faulty: OwnStack, atMs?: number): Promise<string[]> =>
  brokenIn(whole(faulty), atMs);

/** Checks the rules for every user of the file after its tests, for fault tests on the shared stack. */
export const invariantsHoldAfterwards = (): void =>
  afterAll(async () => expect(await brokenInvariants(createdUserIds)).toEqual([]));
