import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { expectedBody, readXml } from "./body.ts";
import { checkRead, checkWrite } from "./conditions.ts";
import { refuse } from "./errors.ts";
import { headersToSend, headersToStore } from "./object-headers.ts";
import { answerXml, type Operation, objectOrRefuse, type VerifiedRequest } from "./operation.ts";
import { parseRange } from "./range.ts";
import { checkedKey, header } from "./request.ts";
import { findObject, forgetObject, replaceObject, type StoredObject, slicesOf } from "./stored-objects.ts";
import { xmlBlocks, xmlText } from "./xml.ts";

/** S3's limit on one DeleteObjects. */
const MAX_DELETED_AT_ONCE = 1000;

export const putObject: Operation = async ({ catalog, blobs }, request, response) => {
  const { bucket, key } = request;
  if (request.headers["x-amz-copy-source"] !== undefined)
    refuse("NotImplemented", "Copying is not supported");
  checkWrite(request, findObject(catalog, bucket, key));
  const headers = headersToStore(request);
  const blob = await blobs.receive(request.body, expectedBody(request, request.payloadSha256));
  const etag = `"${blob.md5}"`;
  await blobs.keep(blob, () =>
    catalog.transaction(() => {
      checkWrite(request, findObject(catalog, bucket, key));
      return replaceObject(catalog, { bucket, key, etag, headers, blobs: [blob] });
    }),
  );
  response.writeHead(200, { ETag: etag, "Content-Length": 0 }).end();
};

export const getObject: Operation = async (store, request, response) => {
  const object = objectOrRefuse(store, request);
  const range = writeObjectHead(object, request, response);
  if (!range) return void response.end();
  const slices = slicesOf(store.catalog, object, range.start, range.end);
  await pipeline(store.blobs.read(slices), response);
};

export const headObject: Operation = (store, request, response) => {
  writeObjectHead(objectOrRefuse(store, request), request, response);
  response.end();
};

/** Sends the headers. Returns the byte range to send, or `undefined` if no body follows. */
function writeObjectHead(object: StoredObject, request: VerifiedRequest, response: ServerResponse) {
  if (request.query.has("partNumber")) refuse("NotImplemented", "Reading by part number is not supported");
  response.setHeader("ETag", object.etag);
  response.setHeader("Last-Modified", new Date(object.modifiedMs).toUTCString());
  response.setHeader("Accept-Ranges", "bytes");
  if (checkRead(request, object)) return void response.writeHead(304);
  const range = parseRange(header(request, "range"), object.size);
  if (range === "unsatisfiable") {
    response.setHeader("Content-Range", `bytes */${object.size}`);
    return refuse("InvalidRange", "The requested range is not satisfiable");
  }
  const { start, end } = range ?? { start: 0, end: object.size - 1 };
  if (range) response.setHeader("Content-Range", `bytes ${start}-${end}/${object.size}`);
  response.writeHead(range ? 206 : 200, {
    ...headersToSend(request, object.headers),
    "Content-Length": end - start + 1,
  });
  return object.size > 0 ? { start, end } : undefined;
}

export const deleteObject: Operation = async ({ catalog, blobs }, { bucket, key }, response) => {
  await blobs.discard(catalog.transaction(() => forgetObject(catalog, bucket, key)));
  response.writeHead(204).end();
};

export const deleteObjects: Operation = async ({ catalog, blobs }, request, response) => {
  const xml = await readXml(request, request.payloadSha256);
  const keys = xmlBlocks(xml, "Object").map((block) =>
    checkedKey(xmlText(block, "Key") ?? refuse("MalformedXML", "An Object lacks its Key")),
  );
  if (keys.length === 0 || keys.length > MAX_DELETED_AT_ONCE) {
    refuse("MalformedXML", `A request deletes 1 to ${MAX_DELETED_AT_ONCE} keys`);
  }
  await blobs.discard(
    catalog.transaction(() => keys.flatMap((key) => forgetObject(catalog, request.bucket, key))),
  );
  const isQuiet = xmlText(xml, "Quiet") === "true";
  answerXml(response, 200, "DeleteResult", { Deleted: isQuiet ? [] : keys.map((Key) => ({ Key })) });
};
