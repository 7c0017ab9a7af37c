import type { R2Bucket } from "@cloudflare/workers-types";
import type { DownloadStore, MultipartStore, ObjectStore } from "./port.ts";
import { r2ObjectStore } from "./r2.ts";
import { s3DownloadStore, s3MultipartStore, s3ObjectStore } from "./s3.ts";
import { type S3Settings, s3Client } from "./s3-client.ts";

type Settings = S3Settings & { UPLOADS?: R2Bucket; MEDIA?: R2Bucket };

export interface Storage {
  objects: ObjectStore;
  multipart: MultipartStore;
  downloads: DownloadStore;
}

const stores = new WeakMap<object, Storage>();

/** Opens storage through the bindings if there are any. Clients live as long as the isolate. */
export function openStorage(settings: Settings): Storage {
  const known = stores.get(settings);
  if (known) return known;
  const client = s3Client(settings);
  const { UPLOADS, MEDIA } = settings;
  const objects =
    UPLOADS && MEDIA ? r2ObjectStore({ uploads: UPLOADS, media: MEDIA }) : s3ObjectStore(client, settings);
  const storage = {
    objects,
    multipart: s3MultipartStore(client, settings),
    downloads: s3DownloadStore(client, settings),
  };
  stores.set(settings, storage);
  return storage;
}
