import { refuse } from "./errors.ts";
import { header, type S3Request } from "./request.ts";

interface Tagged {
  readonly etag: string;
}

const names = (condition: string, { etag }: Tagged) =>
  condition.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);

/** Returns `true` for a 304: the reader has these bytes. */
export function checkRead(request: S3Request, object: Tagged): boolean {
  const [match, noneMatch] = [header(request, "if-match"), header(request, "if-none-match")];
  if (match !== undefined && !names(match, object)) refuse("PreconditionFailed", "If-Match does not hold");
  return noneMatch !== undefined && names(noneMatch, object);
}

/** Checked before the body, to spare the upload, and again in the transaction, where only one writer wins. */
export function checkWrite(request: S3Request, existing: Tagged | undefined) {
  const [match, noneMatch] = [header(request, "if-match"), header(request, "if-none-match")];
  if (match !== undefined && !(existing && names(match, existing)))
    refuse("PreconditionFailed", "If-Match does not hold");
  if (noneMatch !== undefined && existing && names(noneMatch, existing)) {
    refuse("PreconditionFailed", "If-None-Match does not hold");
  }
}
