import { MAX_PARTS, uploadOrRefuse } from "./multipart.ts";
import { answerXml, type Operation } from "./operation.ts";
import { wholeNumber } from "./request.ts";
import { listObjects } from "./stored-objects.ts";
import { listParts, listUploads } from "./stored-uploads.ts";

const PAGE = 1000;
const date = (ms: number) => new Date(ms).toISOString();

export const listObjectsV2: Operation = ({ catalog }, request, response) => {
  const { bucket, query } = request;
  const prefix = query.get("prefix") ?? "";
  const token = query.get("continuation-token");
  const limit = Math.min(wholeNumber(request, "max-keys", 0, Number.MAX_SAFE_INTEGER) ?? PAGE, PAGE);
  const after =
    token === null ? (query.get("start-after") ?? "") : Buffer.from(token, "base64url").toString();
  const found = listObjects(catalog, bucket, prefix, after, limit);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  // XML cannot represent some characters of keys.
  const isEncoded = query.get("encoding-type") === "url";
  answerXml(response, 200, "ListBucketResult", {
    Name: bucket,
    Prefix: prefix,
    MaxKeys: limit,
    KeyCount: page.length,
    EncodingType: isEncoded ? "url" : undefined,
    IsTruncated: last !== undefined,
    ContinuationToken: token ?? undefined,
    NextContinuationToken: last && Buffer.from(last.key).toString("base64url"),
    Contents: page.map(({ key, size, etag, modifiedMs }) => ({
      Key: isEncoded ? encodeURIComponent(key) : key,
      LastModified: date(modifiedMs),
      ETag: etag,
      Size: size,
      StorageClass: "STANDARD",
    })),
  });
};

export const listMultipartUploads: Operation = ({ catalog }, request, response) => {
  const { bucket, query } = request;
  const prefix = query.get("prefix") ?? "";
  const limit = wholeNumber(request, "max-uploads", 1, PAGE) ?? PAGE;
  const after = { key: query.get("key-marker") ?? "", id: query.get("upload-id-marker") ?? "" };
  const found = listUploads(catalog, bucket, prefix, after, limit);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  answerXml(response, 200, "ListMultipartUploadsResult", {
    Bucket: bucket,
    Prefix: prefix,
    MaxUploads: limit,
    IsTruncated: last !== undefined,
    NextKeyMarker: last?.key,
    NextUploadIdMarker: last?.id,
    Upload: page.map(({ id, key, createdMs }) => ({ Key: key, UploadId: id, Initiated: date(createdMs) })),
  });
};

export const listUploadedParts: Operation = (store, request, response) => {
  const { bucket, key } = request;
  const upload = uploadOrRefuse(store, request);
  const limit = Math.min(wholeNumber(request, "max-parts", 1, MAX_PARTS) ?? PAGE, PAGE);
  const after = wholeNumber(request, "part-number-marker", 0, MAX_PARTS) ?? 0;
  const found = listParts(store.catalog, upload.id, after, limit + 1);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  answerXml(response, 200, "ListPartsResult", {
    Bucket: bucket,
    Key: key,
    UploadId: upload.id,
    PartNumberMarker: after,
    NextPartNumberMarker: last?.number,
    MaxParts: limit,
    IsTruncated: last !== undefined,
    Part: page.map(({ number, size, md5, modifiedMs }) => ({
      PartNumber: number,
      LastModified: date(modifiedMs),
      ETag: `"${md5}"`,
      Size: size,
    })),
  });
};
