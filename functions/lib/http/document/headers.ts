import type { ZodOpenApiHeaderObject, ZodOpenApiHeadersObject } from "zod-openapi";
import { deprecationsOf, isEnding } from "../deprecations.ts";
import { type AnyContract, takesKey } from "../route.ts";
import { StatusBody } from "../status.ts";

const text = (description: string, example: string): ZodOpenApiHeaderObject => ({
  description,
  schema: { type: "string" },
  example,
});

/** Response headers that clients may use. Each is one component of the document. */
export const REPLY_HEADERS = {
  "X-Request-Id": {
    ...text("Names this request in reports. The client's own `X-Request-Id` is kept.", "0c4f9a52-4a5e-4d3b"),
    required: true,
  },
  "Cache-Control": text(
    "Errors, tokens and secrets are never stored. What one caller sees is `private`; with an `ETag` it is revalidated.",
    "private, max-age=0, must-revalidate, no-transform",
  ),
  ETag: text(
    "Names this version. Send it as `If-None-Match` to get 304 while nothing changes, and as `If-Match` to change only this version.",
    '"a1b2c3d4e5.Xk3v9QfTq0mZb2Lr"',
  ),
  Link: text(
    'Where a bare list that was cut goes on: `rel="next"`. Absent at the end, and in replies with `next_href`.',
    '<https://api.soundpost.example/tracks?cursor=eyJ&limit=50>; rel="next"',
  ),
  Location: {
    ...text("The resource that was created.", "https://api.soundpost.example/tracks/338914811904001"),
    required: true,
  },
  Target: { ...text("Where to go on.", "https://media.soundpost.example/…"), required: true },
  "Retry-After": {
    description: "Seconds to wait before the request is repeated.",
    schema: { type: "integer", format: "int32", minimum: 0 },
    example: 12,
  },
  RateLimit: text(
    "The budget's name, the requests that are left (`r`), and the seconds until it is full again (`t`).",
    '"likes";r=999;t=3600',
  ),
  "RateLimit-Policy": text(
    "The budget's name, its size (`q`) and its window in seconds (`w`).",
    '"likes";q=1000;w=3600',
  ),
  "Idempotent-Replayed": text(
    "`true`: the reply of the first request with this `Idempotency-Key`, sent again.",
    "true",
  ),
  "WWW-Authenticate": text(
    "The schemes that the endpoint takes, and `error` if a credential was sent.",
    'OAuth realm="api", error="invalid_token", Bearer realm="api", error="invalid_token"',
  ),
  Allow: { ...text("The methods of this address.", "GET, POST"), required: true },
  "Soundpost-Ignored": text(
    "Fields and parameters of the request that the operation does not have, such as misspelt ones.",
    "tittle, track[titel]",
  ),
  Deprecation: text(
    "Since when this operation is deprecated (RFC 9745): seconds since 1970 after an `@`. `Link` leads to the guide.",
    "@1738368000",
  ),
  Sunset: text(
    "The end of this operation (RFC 8594). `Link` leads to what is announced.",
    "Tue, 01 Feb 2028 00:00:00 GMT",
  ),
  "Content-Range": text(
    "Which bytes these are, and the file's length; `*` if the file has none of those that were asked for.",
    "bytes 0-1023/1048576",
  ),
} satisfies Record<string, ZodOpenApiHeaderObject>;

type Name = keyof typeof REPLY_HEADERS;

/** Components named apart from their header, whose meaning varies. */
const SENT_AS: Partial<Record<Name, string>> = { Target: "Location" };

export const headersNamed = (...names: Name[]): ZodOpenApiHeadersObject =>
  Object.fromEntries(names.map((name) => [SENT_AS[name] ?? name, { $ref: `#/components/headers/${name}` }]));

const ALWAYS: Name[] = ["X-Request-Id", "Cache-Control"];

const OF_REFUSALS: Record<string, Name[]> = {
  401: ["WWW-Authenticate"],
  403: ["WWW-Authenticate"],
  405: ["Allow"],
  409: ["Retry-After"],
  416: ["Content-Range"],
  429: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  503: ["Retry-After"],
  default: ["Retry-After", "WWW-Authenticate"],
};

export const refusalHeaders = (status: string): ZodOpenApiHeadersObject =>
  headersNamed(...ALWAYS, ...(OF_REFUSALS[status] ?? []));

/** Headers of a successful reply, derived from the contract. */
export function replyHeaders(method: string, contract: AnyContract, status: string): ZodOpenApiHeadersObject {
  const { auth, query, body, errors = {}, ownHeaders, precondition, replies } = contract;
  if (status === "302" || status === "303") return headersNamed(...ALWAYS, "Target");
  const isList = method === "GET" && query !== undefined && "linked_partitioning" in query.shape;
  const isTagged = precondition === "If-None-Match" || 206 in replies;
  const deprecations = deprecationsOf(contract.operationId);
  const isBudgeted = 429 in errors && Number(status) < 300 && contract.budget !== false;
  return headersNamed(
    ...ALWAYS,
    ...(status === "201" && method === "POST" && replies[201] !== StatusBody ? (["Location"] as const) : []),
    ...(isTagged ? (["ETag"] as const) : []),
    ...(status === "206" ? (["Content-Range"] as const) : []),
    ...(deprecations.length ? (["Deprecation"] as const) : []),
    ...(deprecations.some(isEnding) ? (["Sunset"] as const) : []),
    ...(body ? (["Soundpost-Ignored"] as const) : []),
    ...(isList && 200 in replies ? (["Link"] as const) : []),
    ...(isBudgeted ? (["RateLimit", "RateLimit-Policy"] as const) : []),
    ...(takesKey(method, auth) || ownHeaders?.shape["Idempotency-Key"]
      ? (["Idempotent-Replayed"] as const)
      : []),
  );
}
