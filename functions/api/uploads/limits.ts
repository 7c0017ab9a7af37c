/** Bytes. The specification says up to 4 GB a file; here 4 × 2^30. */
export const MAX_UPLOAD_BYTES = 4 * 2 ** 30;

/** Bytes of a form that the network before the service takes, such as Cloudflare's by plan; `undefined`: all that we take. */
export const edgeLimit = ({ EDGE_BODY_LIMIT_MB }: { EDGE_BODY_LIMIT_MB?: string }): number | undefined =>
  Number(EDGE_BODY_LIMIT_MB) > 0 ? Number(EDGE_BODY_LIMIT_MB) * 2 ** 20 : undefined;

/** Bytes. Larger parts lose more to a broken connection; smaller ones cost more round trips. */
const PREFERRED_PART_BYTES = 16 * 2 ** 20;

/** R2 allows 10,000: developers.cloudflare.com/r2/platform/limits. The rest is a reserve. */
const MAX_PARTS = 9_000;

/** Open sessions per user. */
export const MAX_OPEN_UPLOADS = 5;

/** Presigning 800 URLs takes a quarter of a CPU second. */
export const MAX_URLS_A_CALL = 100;

/** Bytes. R2 refuses smaller parts, except the last: developers.cloudflare.com/r2/platform/limits */
const MIN_PART_BYTES = 5 * 2 ** 20;

/** Seconds that a part's URL works. */
export const PART_URL_TTL_S = 3600;

/** R2 requires equal parts, except for the last. */
export function partsOf(size: number): { partSize: number; partCount: number } {
  const partSize = Math.max(PREFERRED_PART_BYTES, Math.ceil(size / MAX_PARTS));
  return { partSize, partCount: Math.ceil(size / partSize) };
}

/** Uppy's part size unless its page changes it. The limit of parts is reached at 50 GB. */
export const uppyPartsOf = (size: number) => ({
  partSize: MIN_PART_BYTES,
  partCount: Math.ceil(size / MIN_PART_BYTES),
});

/** Bytes of part `number`, counted from 1. */
export function partBytes(
  upload: { size: number; part_size: number; part_count: number },
  number: number,
): number {
  return number < upload.part_count
    ? upload.part_size
    : upload.size - upload.part_size * (upload.part_count - 1);
}
