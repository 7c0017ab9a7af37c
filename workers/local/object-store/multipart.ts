import { createHash, randomBytes } from "node:crypto";
import { expectedBody, readXml } from "./body.ts";
import { checkWrite } from "./conditions.ts";
import { refuse } from "./errors.ts";
import { headersToStore } from "./object-headers.ts";
import { answerXml, type Operation, type Store, type VerifiedRequest } from "./operation.ts";
import { header, wholeNumber } from "./request.ts";
import { findObject, replaceObject } from "./stored-objects.ts";
import {
  addUpload,
  findUpload,
  forgetUpload,
  listParts,
  replacePart,
  type StoredPart,
} from "./stored-uploads.ts";
import { xmlBlocks, xmlText } from "./xml.ts";

/** developers.cloudflare.com/r2/platform/limits */
export const MAX_PARTS = 10_000;
/** Bytes. R2 refuses smaller parts, except the last: developers.cloudflare.com/r2/platform/limits */
const MIN_PART_BYTES = 5 * 1024 * 1024;

export function uploadOrRefuse({ catalog }: Store, { bucket, key, query }: VerifiedRequest) {
  const upload = findUpload(catalog, bucket, key, query.get("uploadId") ?? "");
  return (
    upload ?? refuse("NoSuchUpload", "The upload does not exist: it was completed, aborted, or never created")
  );
}

export const createMultipartUpload: Operation = ({ catalog }, request, response) => {
  const { bucket, key } = request;
  const id = randomBytes(24).toString("base64url");
  addUpload(catalog, id, bucket, key, headersToStore(request));
  answerXml(response, 200, "InitiateMultipartUploadResult", { Bucket: bucket, Key: key, UploadId: id });
};

export const uploadPart: Operation = async (store, request, response) => {
  const { catalog, blobs } = store;
  if (request.headers["x-amz-copy-source"] !== undefined)
    refuse("NotImplemented", "Copying is not supported");
  const number =
    wholeNumber(request, "partNumber", 1, MAX_PARTS) ?? refuse("InvalidArgument", "partNumber is missing");
  uploadOrRefuse(store, request);
  const blob = await blobs.receive(request.body, expectedBody(request, request.payloadSha256));
  // Checked again: the upload may have ended while the bytes arrived.
  await blobs.keep(blob, () =>
    catalog.transaction(() => replacePart(catalog, uploadOrRefuse(store, request).id, number, blob)),
  );
  response.writeHead(200, { ETag: `"${blob.md5}"`, "Content-Length": 0 }).end();
};

export const completeMultipartUpload: Operation = async (store, request, response) => {
  const { catalog, blobs } = store;
  const { bucket, key } = request;
  uploadOrRefuse(store, request);
  const named = parseParts(await readXml(request, request.payloadSha256));
  const { etag, unused } = catalog.transaction(() => {
    const upload = uploadOrRefuse(store, request);
    checkWrite(request, findObject(catalog, bucket, key));
    const parts = selectParts(named, listParts(catalog, upload.id, 0, MAX_PARTS));
    const etag = multipartEtag(parts);
    const files = forgetUpload(catalog, upload.id);
    const replaced = replaceObject(catalog, { bucket, key, etag, headers: upload.headers, blobs: parts });
    const used = new Set(parts.map(({ file }) => file));
    return { etag, unused: [...replaced, ...files.filter((file) => !used.has(file))] };
  });
  await blobs.discard(unused);
  const Location = `http://${header(request, "host")}${request.path}`;
  answerXml(response, 200, "CompleteMultipartUploadResult", {
    Location,
    Bucket: bucket,
    Key: key,
    ETag: etag,
  });
};

export const abortMultipartUpload: Operation = async (store, request, response) => {
  const { id } = uploadOrRefuse(store, request);
  await store.blobs.discard(store.catalog.transaction(() => forgetUpload(store.catalog, id)));
  response.writeHead(204).end();
};

interface NamedPart {
  readonly number: number;
  readonly md5: string;
}

function parseParts(xml: string): NamedPart[] {
  const parts = xmlBlocks(xml, "Part").map((block) => ({
    number: Number(xmlText(block, "PartNumber")),
    md5: xmlText(block, "ETag")?.replaceAll('"', "") ?? refuse("MalformedXML", "A Part lacks its ETag"),
  }));
  if (parts.length === 0) refuse("MalformedXML", "At least one Part is required");
  let previous = 0;
  for (const { number } of parts) {
    if (!Number.isInteger(number) || number < 1) refuse("MalformedXML", "A PartNumber is not a number");
    if (number <= previous) refuse("InvalidPartOrder", "Parts must be in ascending order, each once");
    previous = number;
  }
  return parts;
}

function selectParts(named: readonly NamedPart[], uploaded: readonly StoredPart[]): StoredPart[] {
  const byNumber = new Map(uploaded.map((part) => [part.number, part]));
  const parts = named.map(({ number, md5 }) => {
    const part = byNumber.get(number);
    return part?.md5 === md5
      ? part
      : refuse("InvalidPart", `Part ${number} was not found, or its ETag differs`);
  });
  const allButLast = parts.slice(0, -1);
  if (allButLast.some(({ size }) => size < MIN_PART_BYTES))
    refuse("EntityTooSmall", "A part but the last is under 5 MiB");
  // R2's rule. S3 accepts parts of different lengths.
  if (allButLast.some(({ size }) => size !== parts[0]?.size)) {
    refuse("InvalidPart", "All non-trailing parts must have the same length");
  }
  return parts;
}

function multipartEtag(parts: readonly StoredPart[]): string {
  const digests = Buffer.from(parts.map(({ md5 }) => md5).join(""), "hex");
  return `"${createHash("md5").update(digests).digest("hex")}-${parts.length}"`;
}
