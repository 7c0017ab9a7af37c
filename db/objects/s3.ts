import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { sumOfPages } from "./pages.ts";
import {
  type Bucket,
  type ByteRange,
  type DownloadStore,
  type MultipartStore,
  type ObjectBody,
  type ObjectStore,
  ObjectStoreUnavailable,
  type StoredObject,
  type UploadedPart,
} from "./port.ts";
import { partPresigner, presigner } from "./presign.ts";
import { clientsSigner, type S3Settings } from "./s3-client.ts";
import { bodyFor, failingOnStall, IDLE_MS, StallTimer } from "./stall-timer.ts";

const PRECONDITION_FAILED = 412;

/** Seconds. Our own requests use their URLs at once. */
const OWN_TTL_S = 300;

const bucketName = (settings: S3Settings, bucket: Bucket) =>
  bucket === "uploads" ? settings.S3_UPLOADS_BUCKET : settings.S3_MEDIA_BUCKET;

/** Milliseconds. Completing an upload of 10,000 parts takes storage far longer than other calls. */
const CALL_MS = IDLE_MS;
const COMPLETE_MS = 60_000;
const within = (ms: number) => ({ abortSignal: AbortSignal.timeout(ms) });

/** Status of a store whose disk is full. RFC 4918 §11.5 */
const NO_ROOM = 507;

/** Presigns URLs and fetches them. The SDK's own send costs four times the CPU and buffers streams. */
export function s3ObjectStore(client: S3Client, settings: S3Settings): ObjectStore {
  const presign = presigner(client, settings.S3_ENDPOINT);
  const urlOf = (method: "GET" | "HEAD" | "PUT", bucket: Bucket, key?: string, size?: number) =>
    presign({ method, bucket: bucketName(settings, bucket), key, size }, OWN_TTL_S);
  return {
    async get(bucket, key, range) {
      const timer = new StallTimer("get");
      const found = await open(await urlOf("GET", bucket, key), range, timer).catch(endOf(timer));
      if (!found) timer.end();
      return found && { ...found, body: failingOnStall(found.body, found.sent, timer) };
    },
    async relay(bucket, key, range) {
      const timer = new StallTimer("relay");
      return open(await urlOf("GET", bucket, key), range, timer).finally(() => timer.end());
    },
    async head(bucket, key) {
      const url = await urlOf("HEAD", bucket, key);
      const timer = new StallTimer("head");
      const reply = await send("head", url, timer, { method: "HEAD" }).finally(() => timer.end());
      return reply.status === 404 ? undefined : { size: Number(reply.headers.get("Content-Length")) };
    },
    async put(bucket, key, body) {
      await put(await urlOf("PUT", bucket, key, body.size), body);
    },
    async putNew(bucket, key, body) {
      const url = await urlOf("PUT", bucket, key, body.size);
      const reply = await put(url, body, { "If-None-Match": "*" });
      return reply.status !== PRECONDITION_FAILED;
    },
    async ready() {
      const url = await urlOf("HEAD", "media");
      const timer = new StallTimer("ready");
      const reply = await send("ready", url, timer, { method: "HEAD" }).finally(() => timer.end());
      if (reply.status === 404) throw new ObjectStoreUnavailable("ready 404");
    },
    list: async (bucket, prefix) => (await listed(client, bucketName(settings, bucket), prefix)).keys,
    measure: (bucket, prefix) =>
      sumOfPages((after) => listed(client, bucketName(settings, bucket), prefix, after)),
    async deletePrefix(bucket, prefix) {
      const Bucket = bucketName(settings, bucket);
      const { keys, next } = await listed(client, Bucket, prefix);
      const Objects = keys.map((Key) => ({ Key }));
      if (Objects.length) {
        await client
          .send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }), within(CALL_MS))
          .catch(unavailable("delete"));
      }
      return next === undefined;
    },
  };
}

/** Opens an object for reading. `sent` is the length of the body, which may be a range. */
async function open(
  url: string,
  range: ByteRange | undefined,
  timer: StallTimer,
): Promise<(StoredObject & { sent: number }) | undefined> {
  const headers = range ? { Range: `bytes=${range.start}-${range.end ?? ""}` } : undefined;
  const reply = await send("get", url, timer, { headers });
  if (reply.status === 404 || !reply.body) {
    await reply.body?.cancel();
    return undefined;
  }
  const sent = Number(reply.headers.get("Content-Length"));
  const whole = reply.headers.get("Content-Range")?.split("/")[1] ?? sent;
  const contentType = reply.headers.get("Content-Type") ?? "application/octet-stream";
  return { size: Number(whole), contentType, body: reply.body, sent };
}

async function put(
  url: string,
  { size, contentType, stream }: ObjectBody,
  condition: Record<string, string> = {},
): Promise<Response> {
  const headers = { "Content-Type": contentType, "Content-Length": String(size), ...condition };
  const timer = new StallTimer("put");
  // `duplex` tells Node that the reply comes after the body, which it requires for streams.
  const duplex = "half";
  const asked = { method: "PUT", body: bodyFor(stream, size, timer), headers, duplex };
  const isAnswer = (status: number) => status === PRECONDITION_FAILED;
  const reply = await send("put", url, timer, asked, isAnswer).finally(() => timer.end());
  await reply.body?.cancel();
  return reply;
}

async function send(
  operation: string,
  url: string,
  timer: StallTimer,
  init?: RequestInit,
  isAnswer: (status: number) => boolean = (status) => status === 404,
): Promise<Response> {
  const reply = await timer.wait(fetch(url, { ...init, signal: timer.signal }));
  if (reply.ok || isAnswer(reply.status)) return reply;
  await reply.body?.cancel();
  throw new ObjectStoreUnavailable(`${operation} ${reply.status}`, { isFull: reply.status === NO_ROOM });
}

async function listed(client: S3Client, Bucket: string, Prefix: string, ContinuationToken?: string) {
  const page = await client
    .send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }), within(CALL_MS))
    .catch(unavailable("list"));
  const { Contents = [], IsTruncated, NextContinuationToken } = page;
  return {
    keys: Contents.flatMap(({ Key }) => Key ?? []),
    bytes: Contents.reduce((sum, { Size = 0 }) => sum + Size, 0),
    next: IsTruncated ? NextContinuationToken : undefined,
  };
}

export function s3MultipartStore(client: S3Client, settings: S3Settings): MultipartStore {
  const at = (key: string) => ({ Bucket: settings.S3_UPLOADS_BUCKET, Key: key });
  const signer = clientsSigner(client, settings);
  const { S3_ENDPOINT, S3_UPLOADS_BUCKET } = settings;
  const presignPart = partPresigner(signer, settings.OBJECTS_URL ?? S3_ENDPOINT, S3_UPLOADS_BUCKET);
  const presignOwnPart = partPresigner(client, S3_ENDPOINT, S3_UPLOADS_BUCKET);
  const abort: MultipartStore["abort"] = async (key, uploadId) => {
    await client
      .send(new AbortMultipartUploadCommand({ ...at(key), UploadId: uploadId }), within(CALL_MS))
      .catch(goneOr("abort upload"));
  };
  return {
    async create(key, contentType) {
      const { UploadId } = await client
        .send(new CreateMultipartUploadCommand({ ...at(key), ContentType: contentType }), within(CALL_MS))
        .catch(unavailable("create upload"));
      if (!UploadId) throw new ObjectStoreUnavailable("create upload");
      return UploadId;
    },
    presignPart,
    async putPart(key, uploadId, number, pieces) {
      const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const url = await presignOwnPart(key, uploadId, number, size, OWN_TTL_S);
      // A part is the last upload under its number, so a broken connection can be retried.
      const etag = (await putOnce(url, pieces, size)) ?? (await putOnce(url, pieces, size));
      if (etag === undefined) throw new ObjectStoreUnavailable("put part");
      return etag;
    },
    async parts(key, uploadId) {
      const found: UploadedPart[] = [];
      for (let marker: string | undefined, more = true; more; ) {
        const page = await client
          .send(
            new ListPartsCommand({ ...at(key), UploadId: uploadId, PartNumberMarker: marker }),
            within(CALL_MS),
          )
          .catch(goneOr("list parts"));
        if (page === "gone") return undefined;
        for (const { PartNumber, Size, ETag } of page.Parts ?? []) {
          if (PartNumber) found.push({ number: PartNumber, size: Size ?? 0, etag: ETag ?? "" });
        }
        marker = page.NextPartNumberMarker;
        more = page.IsTruncated === true;
      }
      return found;
    },
    async complete(key, uploadId, parts) {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      const command = new CompleteMultipartUploadCommand({
        ...at(key),
        UploadId: uploadId,
        MultipartUpload: { Parts },
      });
      const outcome = await client.send(command, within(COMPLETE_MS)).catch((error: unknown) => {
        if (["InvalidPart", "InvalidPartOrder", "EntityTooSmall"].includes(nameOf(error)))
          return "invalid_parts" as const;
        return goneOr("complete upload")(error);
      });
      return typeof outcome === "string" ? outcome : "completed";
    },
    abort,
    async abortAll(key) {
      const { Uploads = [] } = await client
        .send(
          new ListMultipartUploadsCommand({ Bucket: settings.S3_UPLOADS_BUCKET, Prefix: key }),
          within(CALL_MS),
        )
        .catch(unavailable("list uploads"));
      for (const { Key, UploadId } of Uploads) if (Key && UploadId) await abort(Key, UploadId);
    },
  };
}

/** Returns the ETag, or `undefined` if storage did not take the part. */
async function putOnce(
  url: string,
  pieces: readonly Uint8Array[],
  size: number,
): Promise<string | undefined> {
  const timer = new StallTimer("put part");
  const body = streamOf(pieces, size, timer);
  const reply = await timer
    .last(fetch(url, { method: "PUT", body, signal: timer.signal }))
    .catch(() => undefined);
  await reply?.body?.cancel();
  return reply?.ok ? (reply.headers.get("ETag") ?? undefined) : undefined;
}

/** Streams the pieces. The runtime copies a stream piece by piece, but a byte array all at once. */
function streamOf(
  pieces: readonly Uint8Array[],
  size: number,
  timer: StallTimer,
): ReadableStream<Uint8Array> {
  const rest = pieces.values();
  return new ReadableStream<Uint8Array>({
    // workerd sends this as Content-Length.
    expectedLength: size,
    pull(controller) {
      timer.restart();
      const { value } = rest.next();
      if (value) controller.enqueue(value);
      else controller.close();
    },
  });
}

export function s3DownloadStore(client: S3Client, settings: S3Settings): DownloadStore {
  const signer = clientsSigner(client, settings);
  return {
    presign(method, key, disposition, ttlS) {
      const asked = {
        Bucket: settings.S3_UPLOADS_BUCKET,
        Key: key,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: "private, no-cache",
      };
      const command = method === "HEAD" ? new HeadObjectCommand(asked) : new GetObjectCommand(asked);
      return getSignedUrl(signer, command, { expiresIn: ttlS });
    },
  };
}

const endOf = (timer: StallTimer) => (error: unknown) => {
  timer.end();
  throw error;
};

const nameOf = (error: unknown) => (error instanceof Error ? error.name : "");

const unavailable = (operation: string) => (error: unknown) => {
  throw new ObjectStoreUnavailable(operation, { cause: error });
};

const goneOr = (operation: string) => (error: unknown) => {
  if (nameOf(error) === "NoSuchUpload") return "gone" as const;
  return unavailable(operation)(error);
};
