/** The two buckets: what people upload, and what encoding makes of it. */
export type Bucket = "uploads" | "media";

/** Inclusive bounds, as HTTP has them; without `end`, to the last byte. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface StoredObject {
  /** Bytes of the whole object, whatever range was read. */
  size: number;
  contentType: string;
  body: ReadableStream<Uint8Array>;
}

export interface ObjectBody {
  /** Bytes. Storage refuses a body without its length. */
  size: number;
  contentType: string;
  stream: ReadableStream<Uint8Array>;
}

/** One port to object storage. Locally S3; deployed the R2 bindings. Both pass one contract suite. */
export interface ObjectStore {
  /** `undefined` where there is no such object. */
  get(bucket: Bucket, key: string, range?: ByteRange): Promise<StoredObject | undefined>;
  head(bucket: Bucket, key: string): Promise<{ size: number } | undefined>;
  put(bucket: Bucket, key: string, body: ObjectBody): Promise<void>;
  /** False, and nothing changed, where there is such an object already. Of two writers racing only one wins. */
  putNew(bucket: Bucket, key: string, body: ObjectBody): Promise<boolean>;
  /** Throws where it cannot be reached, or has no room for more. */
  ready(): Promise<void>;
  /** Deletes up to a thousand objects below a prefix; false while more may be left. */
  deletePrefix(bucket: Bucket, prefix: string): Promise<boolean>;
}

export interface UploadedPart {
  number: number;
  size: number;
  etag: string;
}

/** Uploads in parts, which only the S3 API can presign: the same locally and deployed. */
export interface MultipartStore {
  create(key: string, contentType: string): Promise<string>;
  /** A URL for exactly one PUT of exactly `size` bytes. */
  presignPart(key: string, uploadId: string, number: number, size: number, ttlS: number): Promise<string>;
  /** Sends a part ourselves, whose pieces must hold until then. Its ETag. */
  putPart(key: string, uploadId: string, number: number, pieces: readonly Uint8Array[]): Promise<string>;
  /** `undefined` where storage no longer knows the upload: completed, aborted or expired. */
  parts(key: string, uploadId: string): Promise<UploadedPart[] | undefined>;
  complete(key: string, uploadId: string, parts: { number: number; etag: string }[]): Promise<Completion>;
  abort(key: string, uploadId: string): Promise<void>;
  /** Whatever is open under the key, by ids that nobody wrote down. */
  abortAll(key: string): Promise<void>;
}

/** Reading without us, which only the S3 API can presign. */
export interface DownloadStore {
  /** A URL of a file in `uploads`, saved as `disposition` has it. */
  presign(key: string, disposition: string, ttlS: number): Promise<string>;
}

/** `gone`: storage no longer knows the upload, so an earlier completion may have stood. */
export type Completion = "completed" | "gone" | "invalid_parts";

/** Storage did not do it, and it is safe to ask again. */
export class ObjectStoreUnavailable extends Error {
  constructor(operation: string, options?: ErrorOptions) {
    super(`object store: ${operation} failed`, options);
    this.name = "ObjectStoreUnavailable";
  }
}
