import { refuse } from "./errors.ts";
import { listMultipartUploads, listObjectsV2, listUploadedParts } from "./listings.ts";
import {
  abortMultipartUpload,
  completeMultipartUpload,
  createMultipartUpload,
  uploadPart,
} from "./multipart.ts";
import { deleteObject, deleteObjects, getObject, headObject, putObject } from "./objects.ts";
import type { Operation } from "./operation.ts";
import type { S3Request } from "./request.ts";

const OPERATIONS: Record<string, Operation> = {
  "PUT object": putObject,
  "GET object": getObject,
  "HEAD object": headObject,
  "DELETE object": deleteObject,

  "POST object ?uploads": createMultipartUpload,
  "PUT object ?uploadId": uploadPart,
  "GET object ?uploadId": listUploadedParts,
  "POST object ?uploadId": completeMultipartUpload,
  "DELETE object ?uploadId": abortMultipartUpload,

  "HEAD bucket": headBucket,
  "GET bucket ?list-type": listObjectsV2,
  "GET bucket ?uploads": listMultipartUploads,
  "POST bucket ?delete": deleteObjects,
};

/** Serves readiness checks, so it fails if nothing can be written. */
function headBucket(...[{ hasRoom }, , response]: Parameters<Operation>): void {
  if (!hasRoom()) refuse("InsufficientStorage", "The disk is full or read-only");
  response.writeHead(200).end();
}

const MARKS = ["uploads", "uploadId", "list-type", "delete"];

/** Ignoring an unknown parameter would give a plausible wrong answer. */
const KNOWN_PARAMETERS = new Set([
  ...MARKS,
  "partNumber",
  "max-parts",
  "part-number-marker",
  "prefix",
  "max-keys",
  "start-after",
  "continuation-token",
  "encoding-type",
  "fetch-owner",
  "max-uploads",
  "key-marker",
  "upload-id-marker",
  "x-id",
]);

export function findOperation({ method, key, query }: S3Request): Operation {
  for (const name of query.keys()) {
    if (!KNOWN_PARAMETERS.has(name) && !/^(x-amz-|response-)/i.test(name)) {
      refuse("NotImplemented", `${name} is not understood`);
    }
  }
  const mark = MARKS.find((name) => query.has(name));
  const name = `${method} ${key === "" ? "bucket" : "object"}${mark === undefined ? "" : ` ?${mark}`}`;
  return OPERATIONS[name] ?? refuse("NotImplemented", `${name} is not understood`);
}
