/** Buckets of originals and of encoded files. */
export type Bucket = "uploads" | "media";

/** Inclusive bounds, as in HTTP. Without `end` the range reaches the last byte. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface StoredObject {
  /** Bytes of the whole object, even if only a range was read. */
  size: number;
  contentType: string;
  body: ReadableStream<Uint8Array>;
}

export interface ObjectBody {
  /** Bytes. Storage refuses a body of unknown length. */
  size: number;
  contentType: string;
  stream: ReadableStream<Uint8Array>;
}

/** Port to object storage: S3 locally, R2 bindings when deployed. Both pass one contract suite. */
export interface ObjectStore {
  /** `undefined` if the object does not exist. */
  get(bucket: Bucket, key: string, range?: ByteRange): Promise<StoredObject | undefined>;
  /** Gets an object for a reader that detects stalls itself. The bytes pass without JavaScript. */
  relay(bucket: Bucket, key: string, range?: ByteRange): Promise<StoredObject | undefined>;
  head(bucket: Bucket, key: string): Promise<{ size: number } | undefined>;
  put(bucket: Bucket, key: string, body: ObjectBody): Promise<void>;
  /** Creates an object. False, with nothing changed, if the key exists. One of two racing writers wins. */
  putNew(bucket: Bucket, key: string, body: ObjectBody): Promise<boolean>;
  /** Throws if storage is unreachable or full. */
  ready(): Promise<void>;
  /** Lists up to a thousand keys below a prefix. */
  list(bucket: Bucket, prefix: string): Promise<string[]>;
  /** Adds up the bytes of all objects below a prefix. */
  measure(bucket: Bucket, prefix: string): Promise<number>;
  /** Deletes up to a thousand objects below a prefix. False while more may remain. */
  deletePrefix(bucket: Bucket, prefix: string): Promise<boolean>;
}

export interface UploadedPart {
  number: number;
  size: number;
  etag: string;
}

/** Multipart uploads. Only the S3 API can presign them, so local and deployed code agree. */
export interface MultipartStore {
  create(key: string, contentType: string): Promise<string>;
  /** Signs a URL for PUTs of one part, of exactly `size` bytes. */
  presignPart(key: string, uploadId: string, number: number, size: number, ttlS: number): Promise<string>;
  /** Uploads a part from the Worker and returns its ETag. `pieces` must not change meanwhile. */
  putPart(key: string, uploadId: string, number: number, pieces: readonly Uint8Array[]): Promise<string>;
  /** `undefined` if storage no longer knows the upload: completed, aborted or expired. */
  parts(key: string, uploadId: string): Promise<UploadedPart[] | undefined>;
  complete(key: string, uploadId: string, parts: { number: number; etag: string }[]): Promise<Completion>;
  abort(key: string, uploadId: string): Promise<void>;
  /** Aborts every upload open under the key, even those whose ids were never stored. */
  abortAll(key: string): Promise<void>;
}

/** Downloads that bypass the Worker. Only the S3 API can presign them. */
export interface DownloadStore {
  /** Signs a URL of a file in `uploads` for one method, with `disposition` as its Content-Disposition. */
  presign(method: "GET" | "HEAD", key: string, disposition: string, ttlS: number): Promise<string>;
}

/** `gone` means that storage no longer knows the upload; an earlier completion may have succeeded. */
type Completion = "completed" | "gone" | "invalid_parts";

/** Storage failed. Repeating the request is safe. */
export class ObjectStoreUnavailable extends Error {
  /** Storage reported that it has no room left. */
  readonly isFull: boolean;

  constructor(operation: string, { isFull = false, ...options }: ErrorOptions & { isFull?: boolean } = {}) {
    super(`object store: ${operation} failed`, options);
    this.name = "ObjectStoreUnavailable";
    this.isFull = isFull;
  }
}
