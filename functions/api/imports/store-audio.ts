import type { Database } from "../../../db/client.ts";
import { originalKey } from "../../../db/objects/keys.ts";
import { openStorage, type Storage } from "../../../db/objects/open.ts";
import { beginAnew, type LeasedEpisode, noteProgress } from "../../../db/queries/import-turns.ts";
import type { Env } from "../../lib/http/env.ts";
import { MAX_UPLOAD_BYTES } from "../uploads/limits.ts";
import { FetchFailure, failureOf, fetchPublic, requireStatus } from "./public-fetch.ts";

/** Bytes. Two parts fit into an isolate beside other work; 4 GB take 256 parts. */
const PART_BYTES = 16 * 2 ** 20;

/** Milliseconds without a byte after which the other server is given up. */
const STALL_MS = 30_000;

/** Milliseconds between signs of life. A lease lasts several. */
const SIGN_MS = 10_000;

/** Somebody cancelled the import, or another attempt took over. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

export interface StoredAudio {
  size: number;
  type: string;
}

interface Part {
  number: number;
  etag: string;
}

/**
 * Fetches an episode's file into storage in parts. Resumes where an earlier attempt stopped, if the server sends
 * ranges of the same file. Returns `undefined` when the time is over: what is stored waits for the next run.
 */
export async function storeAudio(
  db: Database,
  env: Env,
  episode: LeasedEpisode,
  lease: string,
  endMs: number,
): Promise<StoredAudio | undefined> {
  const storage = openStorage(env);
  const { audio_url: url, audio_type: announced } = episode.item;
  // The whole file may be stored already, without its track.
  const whole = episode.attempts > 1 && (await storage.objects.head("uploads", episode.object_key));
  if (whole) return { size: whole.size, type: announced ?? "audio/mpeg" };
  const fetching = new Fetching(db, storage, episode, lease);
  await fetching.findParts();
  const timer = new AbortController();
  let stall = setTimeout(() => timer.abort(), STALL_MS);
  const moved = () => {
    clearTimeout(stall);
    stall = setTimeout(() => timer.abort(), STALL_MS);
  };
  try {
    const reply = await fetchPublic(env, url ?? "", { headers: fetching.headers, signal: timer.signal });
    await fetching.begin(reply);
    for await (const chunk of reply.body ?? []) {
      moved();
      await fetching.write(chunk);
      moved();
      if (Date.now() > endMs) return undefined;
    }
    return await fetching.finish();
  } catch (error) {
    if (timer.signal.aborted) throw new FetchFailure("timeout");
    throw isOurs(error) ? error : failureOf(error);
  } finally {
    clearTimeout(stall);
    timer.abort();
  }
}

/** Storage and the database throw errors of their own, which are no fault of the other server. */
const isOurs = (error: unknown): boolean =>
  error instanceof Error && !["TypeError", "Error", "AbortError", "TimeoutError"].includes(error.name);

class Fetching {
  readonly #db: Database;
  readonly #storage: Storage;
  readonly #episode: LeasedEpisode;
  readonly #lease: string;
  #key: string;
  #uploadId: string | null;
  #parts: Part[] = [];
  #filling: Uint8Array[] = [];
  #filled = 0;
  #total: number | undefined;
  #type = "audio/mpeg";
  #validator: string | null = null;
  #signedAtMs = Date.now();

  constructor(db: Database, storage: Storage, episode: LeasedEpisode, lease: string) {
    this.#db = db;
    this.#storage = storage;
    this.#episode = episode;
    this.#lease = lease;
    this.#key = episode.object_key;
    this.#uploadId = episode.storage_upload_id;
  }

  /** Storage knows which parts arrived. A part that is not whole is fetched again. */
  async findParts(): Promise<void> {
    if (!this.#uploadId) return;
    const stored = (await this.#storage.multipart.parts(this.#key, this.#uploadId)) ?? [];
    const sorted = stored.toSorted((a, b) => a.number - b.number);
    const end = sorted.findIndex(({ number, size }, at) => number !== at + 1 || size !== PART_BYTES);
    this.#parts = end < 0 ? sorted : sorted.slice(0, end);
  }

  get #stored(): number {
    return this.#parts.length * PART_BYTES;
  }

  get headers(): Record<string, string> {
    const { validator } = this.#episode;
    return {
      // Storage keeps the file as it is.
      "Accept-Encoding": "identity",
      ...(this.#stored > 0 && { Range: `bytes=${this.#stored}-` }),
      ...(this.#stored > 0 && validator && { "If-Range": validator }),
    };
  }

  async begin(reply: Response): Promise<void> {
    if (reply.status === 416 && this.#stored > 0) {
      await this.#forget();
      throw new FetchFailure("interrupted");
    }
    await requireStatus(reply, 200, ...(this.#stored > 0 ? [206] : []));
    const { headers } = reply;
    this.#type = headers.get("Content-Type") ?? this.#type;
    if (/^text\/html/i.test(this.#type)) throw new FetchFailure("not_audio");
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("Content-Range") ?? "") ?? [];
    const goesOn =
      reply.status === 206 && Number(start) === this.#stored && Number(total) === this.#episode.size;
    if (reply.status === 206 && !goesOn) {
      await this.#forget();
      throw new FetchFailure("interrupted");
    }
    if (!goesOn && this.#stored > 0) await this.#forget();
    this.#total = goesOn ? Number(total) : Number(headers.get("Content-Length")) || undefined;
    if ((this.#total ?? 0) > MAX_UPLOAD_BYTES) throw new FetchFailure("too_large");
    const tag = headers.get("ETag");
    // A weak tag identifies no bytes. RFC 9110 §13.1.5
    this.#validator = tag && !tag.startsWith("W/") ? tag : headers.get("Last-Modified");
    await this.#note({ validator: this.#validator, size: this.#total ?? this.#episode.size });
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.byteLength; ) {
      const fitting = rest.subarray(0, PART_BYTES - this.#filled);
      this.#filling.push(fitting);
      this.#filled += fitting.byteLength;
      rest = rest.subarray(fitting.byteLength);
      if (this.#filled === PART_BYTES) await this.#sendPart();
    }
    if (this.#stored + this.#filled > MAX_UPLOAD_BYTES) throw new FetchFailure("too_large");
    if (Date.now() - this.#signedAtMs > SIGN_MS) await this.#note({ fetched: this.#stored + this.#filled });
  }

  async finish(): Promise<StoredAudio> {
    const size = this.#stored + this.#filled;
    if (this.#total !== undefined && size !== this.#total) throw new FetchFailure("interrupted");
    if (size === 0) throw new FetchFailure("empty");
    const { objects, multipart } = this.#storage;
    if (this.#uploadId === null) {
      const stream = new Blob(this.#filling).stream();
      await objects.put("uploads", this.#key, { size, contentType: this.#type, stream });
    } else {
      if (this.#filled > 0) await this.#putPart(this.#uploadId);
      await multipart.complete(this.#key, this.#uploadId, this.#parts);
      // Storage may have joined them before, and lost its reply.
      const stored = await objects.head("uploads", this.#key);
      if (stored?.size !== size) throw new FetchFailure("interrupted");
    }
    return { size, type: this.#type };
  }

  async #sendPart(): Promise<void> {
    if (this.#uploadId === null) {
      this.#uploadId = await this.#storage.multipart.create(this.#key, this.#type);
      await this.#note({ storageUploadId: this.#uploadId });
    }
    await this.#putPart(this.#uploadId);
    // Progress restarts the count of failed attempts.
    await this.#note({ fetched: this.#stored, attempts: 1 });
  }

  async #putPart(uploadId: string): Promise<void> {
    const number = this.#parts.length + 1;
    const etag = await this.#storage.multipart.putPart(this.#key, uploadId, number, this.#filling);
    this.#parts.push({ number, etag });
    this.#filling = [];
    this.#filled = 0;
  }

  /** Starts over, because parts of another file are useless. The sweep deletes them. */
  async #forget(): Promise<void> {
    this.#key = originalKey(this.#episode.user_id);
    this.#uploadId = null;
    this.#parts = [];
    if (!(await beginAnew(this.#db, this.#episode.id, this.#lease, this.#key))) throw new LeaseLost();
  }

  async #note(progress: Parameters<typeof noteProgress>[3]): Promise<void> {
    this.#signedAtMs = Date.now();
    if (!(await noteProgress(this.#db, this.#episode.id, this.#lease, progress))) throw new LeaseLost();
  }
}
