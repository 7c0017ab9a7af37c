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
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import {
  type Bucket,
  type DownloadStore,
  type MultipartStore,
  type ObjectStore,
  ObjectStoreUnavailable,
  type UploadedPart,
} from "./port.ts";
import { partPresigner } from "./presign-part.ts";

export interface S3Settings {
  S3_ENDPOINT: string;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
  S3_UPLOADS_BUCKET: string;
  S3_MEDIA_BUCKET: string;
}

/** Seconds. Presigned for ourselves, used at once. */
const OWN_TTL_S = 300;

export function s3Client(settings: S3Settings): S3Client {
  return new S3Client({
    endpoint: settings.S3_ENDPOINT,
    region: "auto",
    forcePathStyle: true,
    credentials: { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY },
    // Else a checksum of an empty body is signed into upload URLs.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // The caller answers 503 and its client tries again.
    maxAttempts: 2,
  });
}

const bucketName = (settings: S3Settings, bucket: Bucket) =>
  bucket === "uploads" ? settings.S3_UPLOADS_BUCKET : settings.S3_MEDIA_BUCKET;

/** Presigned, then `fetch`ed: the SDK's own send costs four times the CPU and buffers streams. */
export function s3ObjectStore(client: S3Client, settings: S3Settings): ObjectStore {
  const at = (bucket: Bucket, key: string) => ({ Bucket: bucketName(settings, bucket), Key: key });
  const send = async (operation: string, url: string, init?: RequestInit): Promise<Response> => {
    const reply = await fetch(url, init).catch((error: unknown) => {
      throw new ObjectStoreUnavailable(operation, { cause: error });
    });
    if (reply.ok || reply.status === 404) return reply;
    await reply.body?.cancel();
    throw new ObjectStoreUnavailable(`${operation} ${reply.status}`);
  };
  return {
    async get(bucket, key, range) {
      const url = await getSignedUrl(client, new GetObjectCommand(at(bucket, key)), { expiresIn: OWN_TTL_S });
      const headers = range ? { Range: `bytes=${range.start}-${range.end ?? ""}` } : undefined;
      const reply = await send("get", url, { headers });
      if (reply.status === 404 || !reply.body) {
        await reply.body?.cancel();
        return undefined;
      }
      const whole = reply.headers.get("Content-Range")?.split("/")[1] ?? reply.headers.get("Content-Length");
      const contentType = reply.headers.get("Content-Type") ?? "application/octet-stream";
      return { size: Number(whole), contentType, body: reply.body };
    },
    async head(bucket, key) {
      const url = await getSignedUrl(client, new HeadObjectCommand(at(bucket, key)), {
        expiresIn: OWN_TTL_S,
      });
      const reply = await send("head", url, { method: "HEAD" });
      return reply.status === 404 ? undefined : { size: Number(reply.headers.get("Content-Length")) };
    },
    async put(bucket, key, { size, contentType, stream }) {
      const command = new PutObjectCommand({
        ...at(bucket, key),
        ContentLength: size,
        ContentType: contentType,
      });
      const url = await getSignedUrl(client, command, { expiresIn: OWN_TTL_S });
      const headers = { "Content-Type": contentType, "Content-Length": String(size) };
      const reply = await send("put", url, { method: "PUT", body: withLength(stream, size), headers });
      if (reply.status === 404) throw new ObjectStoreUnavailable("put 404");
    },
    async deletePrefix(bucket, prefix) {
      const Bucket = bucketName(settings, bucket);
      const { Contents = [], IsTruncated } = await client
        .send(new ListObjectsV2Command({ Bucket, Prefix: prefix }))
        .catch(unavailable("list"));
      const Objects = Contents.flatMap(({ Key }) => (Key ? [{ Key }] : []));
      if (Objects.length) {
        await client
          .send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
          .catch(unavailable("delete"));
      }
      return !IsTruncated;
    },
  };
}

/** workerd sends a Content-Length only for a stream that knows its own. */
function withLength(stream: ReadableStream<Uint8Array>, size: number): ReadableStream<Uint8Array> {
  return typeof FixedLengthStream === "undefined" ? stream : stream.pipeThrough(new FixedLengthStream(size));
}

export function s3MultipartStore(client: S3Client, settings: S3Settings): MultipartStore {
  const at = (key: string) => ({ Bucket: settings.S3_UPLOADS_BUCKET, Key: key });
  const presignPart = partPresigner(client, settings.S3_ENDPOINT, settings.S3_UPLOADS_BUCKET);
  const abort: MultipartStore["abort"] = async (key, uploadId) => {
    await client
      .send(new AbortMultipartUploadCommand({ ...at(key), UploadId: uploadId }))
      .catch(goneOr("abort upload"));
  };
  return {
    async create(key, contentType) {
      const { UploadId } = await client
        .send(new CreateMultipartUploadCommand({ ...at(key), ContentType: contentType }))
        .catch(unavailable("create upload"));
      if (!UploadId) throw new ObjectStoreUnavailable("create upload");
      return UploadId;
    },
    presignPart,
    async putPart(key, uploadId, number, pieces) {
      const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const url = await presignPart(key, uploadId, number, size, OWN_TTL_S);
      // A part is whatever was put last under its number, so one broken connection need not end the upload.
      const etag = (await putOnce(url, pieces, size)) ?? (await putOnce(url, pieces, size));
      if (etag === undefined) throw new ObjectStoreUnavailable("put part");
      return etag;
    },
    async parts(key, uploadId) {
      const found: UploadedPart[] = [];
      for (let marker: string | undefined, more = true; more; ) {
        const page = await client
          .send(new ListPartsCommand({ ...at(key), UploadId: uploadId, PartNumberMarker: marker }))
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
      const outcome = await client.send(command).catch((error: unknown) => {
        if (["InvalidPart", "InvalidPartOrder", "EntityTooSmall"].includes(nameOf(error)))
          return "invalid_parts" as const;
        return goneOr("complete upload")(error);
      });
      return typeof outcome === "string" ? outcome : "completed";
    },
    abort,
    async abortAll(key) {
      const { Uploads = [] } = await client
        .send(new ListMultipartUploadsCommand({ Bucket: settings.S3_UPLOADS_BUCKET, Prefix: key }))
        .catch(unavailable("list uploads"));
      for (const { Key, UploadId } of Uploads) if (Key && UploadId) await abort(Key, UploadId);
    },
  };
}

/** The ETag, or `undefined` where storage did not take it. */
async function putOnce(
  url: string,
  pieces: readonly Uint8Array[],
  size: number,
): Promise<string | undefined> {
  const reply = await fetch(url, { method: "PUT", body: streamOf(pieces, size) }).catch(() => undefined);
  await reply?.body?.cancel();
  return reply?.ok ? (reply.headers.get("ETag") ?? undefined) : undefined;
}

/** The runtime copies what it sends: of a stream piece by piece, while it is sent; of bytes all at once. */
function streamOf(pieces: readonly Uint8Array[], size: number): ReadableStream<Uint8Array> {
  const rest = pieces.values();
  return new ReadableStream<Uint8Array>({
    // workerd sends it as the Content-Length.
    expectedLength: size,
    pull(controller) {
      const { value } = rest.next();
      if (value) controller.enqueue(value);
      else controller.close();
    },
  });
}

export const s3DownloadStore = (client: S3Client, settings: S3Settings): DownloadStore => ({
  presign: (key, disposition, ttlS) =>
    getSignedUrl(
      client,
      new GetObjectCommand({
        Bucket: settings.S3_UPLOADS_BUCKET,
        Key: key,
        ResponseContentDisposition: disposition,
      }),
      { expiresIn: ttlS },
    ),
});

const nameOf = (error: unknown) => (error instanceof Error ? error.name : "");

const unavailable = (operation: string) => (error: unknown) => {
  throw new ObjectStoreUnavailable(operation, { cause: error });
};

const goneOr = (operation: string) => (error: unknown) => {
  if (nameOf(error) === "NoSuchUpload") return "gone" as const;
  return unavailable(operation)(error);
};
