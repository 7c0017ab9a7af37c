import { amzValues, header, headerValue, type S3Request } from "./request.ts";

const STORED = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-type",
  "expires",
];

/** Serializes the headers that reads of the object return. */
export function headersToStore(request: S3Request): string {
  const metadata = [...amzValues(request)].filter(([name]) => name.startsWith("x-amz-meta-"));
  const sent = STORED.map((name) => [name, header(request, name)] as const);
  const given = [...sent, ...metadata].filter(([, value]) => value !== undefined);
  return JSON.stringify({ "content-type": "application/octet-stream", ...Object.fromEntries(given) });
}

/** Returns the stored headers, overridden by `response-content-disposition` and the like. */
export function headersToSend(request: S3Request, stored: string): Record<string, string> {
  const headers = JSON.parse(stored) as Record<string, string>;
  for (const name of STORED) {
    const asked = request.query.get(`response-${name}`);
    if (asked !== null) headers[name] = headerValue(asked);
  }
  return headers;
}
