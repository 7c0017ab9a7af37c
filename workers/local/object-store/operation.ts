import type { ServerResponse } from "node:http";
import type { Blobs } from "./blobs.ts";
import type { Catalog } from "./catalog.ts";
import { refuse } from "./errors.ts";
import type { S3Request } from "./request.ts";
import type { PayloadSha256 } from "./signature.ts";
import { findObject } from "./stored-objects.ts";
import { type XmlFields, xmlDocument } from "./xml.ts";

export interface Store {
  readonly catalog: Catalog;
  readonly blobs: Blobs;
  /** Whether the disk takes writes and has free space. */
  hasRoom(): boolean;
}

export interface VerifiedRequest extends S3Request {
  readonly payloadSha256: PayloadSha256;
}

export type Operation = (
  store: Store,
  request: VerifiedRequest,
  response: ServerResponse,
) => void | Promise<void>;

export function answerXml(response: ServerResponse, status: number, root: string, fields: XmlFields) {
  const body = xmlDocument(root, fields);
  response
    .writeHead(status, { "Content-Type": "application/xml", "Content-Length": Buffer.byteLength(body) })
    .end(body);
}

export const objectOrRefuse = ({ catalog }: Store, { bucket, key }: S3Request) =>
  findObject(catalog, bucket, key) ?? refuse("NoSuchKey", "The specified key does not exist");
