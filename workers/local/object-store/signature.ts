import { timingSafeEqual } from "node:crypto";
import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import { refuse } from "./errors.ts";
import { amzValues, header, type S3Request } from "./request.ts";

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** SHA-256 of the body in hex, as the caller signed it. `undefined` if unsigned. */
export type PayloadSha256 = string | undefined;

/** Milliseconds. S3 refuses larger clock differences in either direction. */
const MAX_SKEW_MS = 15 * 60 * 1000;
/** Seconds. SigV4 presigned URLs last a week at most. */
const MAX_EXPIRES_S = 7 * 24 * 60 * 60;
const UNSIGNED = "UNSIGNED-PAYLOAD";
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^, ]+), *SignedHeaders=([^, ]+), *Signature=([0-9a-f]{64})$/;

interface Verifying {
  signer: SignatureV4;
  credentials: Credentials;
}

/** Signs the received request with the SDK's own signer and compares. No second implementation can drift. */
export function createVerifier(credentials: Credentials) {
  const signer = new SignatureV4({
    credentials,
    region: "auto",
    service: "s3",
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });

  return async (request: S3Request): Promise<PayloadSha256> => {
    const authorization = header(request, "authorization");
    if (authorization !== undefined) return verifyHeader(request, authorization, { signer, credentials });
    const signature =
      request.query.get("X-Amz-Signature") ?? refuse("AccessDenied", "Anonymous access is not allowed");
    return verifyQuery(request, signature, { signer, credentials });
  };
}

async function verifyHeader(
  request: S3Request,
  authorization: string,
  { signer, credentials }: Verifying,
): Promise<PayloadSha256> {
  const [, credential, names, signature] =
    AUTHORIZATION.exec(authorization) ??
    refuse("AuthorizationHeaderMalformed", "Only AWS4-HMAC-SHA256 is supported");
  checkAccessKey(credential, credentials);
  const signed = signedNames(names, request);
  const signingDate = parseDate(header(request, "x-amz-date"));
  if (Math.abs(Date.now() - signingDate.getTime()) > MAX_SKEW_MS)
    refuse("RequestTimeTooSkewed", "The clocks differ by over 15 minutes");
  const payload =
    header(request, "x-amz-content-sha256") ?? refuse("InvalidArgument", "x-amz-content-sha256 is missing");
  const resigned = await signer.sign(signable(request, signed), { signingDate, signableHeaders: signed });
  const [, expectedCredential, , expected] = AUTHORIZATION.exec(resigned.headers.authorization ?? "") ?? [];
  if (credential !== expectedCredential)
    refuse("AuthorizationHeaderMalformed", `The credential must be ${expectedCredential}`);
  compare(signature, expected);
  return payloadSha256(payload);
}

async function verifyQuery(
  request: S3Request,
  signature: string,
  { signer, credentials }: Verifying,
): Promise<PayloadSha256> {
  const { query } = request;
  checkAccessKey(query.get("X-Amz-Credential"), credentials);
  const signed = signedNames(query.get("X-Amz-SignedHeaders"), request);
  const signingDate = parseDate(query.get("X-Amz-Date"));
  const expiresIn = secondsValid(query, signingDate.getTime());
  const payload = amzValues(request).get("x-amz-content-sha256") ?? UNSIGNED;
  const unsigned = signable(request, signed);
  const resigned = await signer.presign(
    { ...unsigned, headers: { ...unsigned.headers, "x-amz-content-sha256": payload } },
    {
      signingDate,
      expiresIn,
      signableHeaders: signed,
      unsignableHeaders: signed.has("x-amz-content-sha256") ? new Set() : new Set(["x-amz-content-sha256"]),
      unhoistableHeaders: new Set([...signed, "x-amz-content-sha256"]),
    },
  );
  if (resigned.query?.["X-Amz-Credential"] !== query.get("X-Amz-Credential")) {
    refuse(
      "AuthorizationQueryParametersError",
      `The credential must be ${resigned.query?.["X-Amz-Credential"]}`,
    );
  }
  compare(signature, String(resigned.query?.["X-Amz-Signature"]));
  return payloadSha256(payload);
}

/** Returns how long the URL is valid from its date. Refuses one that is not valid now. */
function secondsValid(query: URLSearchParams, signedAtMs: number): number {
  const now = Date.now();
  const expiresIn = Number(query.get("X-Amz-Expires"));
  if (!Number.isInteger(expiresIn) || expiresIn < 1 || expiresIn > MAX_EXPIRES_S) {
    refuse("AuthorizationQueryParametersError", `X-Amz-Expires must be a number from 1 to ${MAX_EXPIRES_S}`);
  }
  if (signedAtMs - now > MAX_SKEW_MS) refuse("AccessDenied", "The request is not valid yet");
  if (now > signedAtMs + expiresIn * 1000) refuse("AccessDenied", "The request has expired");
  return expiresIn;
}

function checkAccessKey(credential: string | null | undefined, { accessKeyId }: Credentials) {
  if (!credential?.startsWith(`${accessKeyId}/`)) refuse("InvalidAccessKeyId", "No such access key");
}

/**
 * Without `host` a signature would hold anywhere. An unsigned `x-amz-` header could change the request's
 * meaning.
 */
function signedNames(names: string | null | undefined, request: S3Request): Set<string> {
  const signed = new Set(names?.split(";"));
  if (!signed.has("host")) refuse("AccessDenied", "The host header must be signed");
  for (const name of Object.keys(request.headers)) {
    if (name.startsWith("x-amz-") && name !== "x-amz-content-sha256" && !signed.has(name)) {
      refuse("AccessDenied", `${name} was sent but not signed`);
    }
  }
  return signed;
}

function parseDate(text: string | null | undefined): Date {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? "") ??
    refuse("AccessDenied", "X-Amz-Date must be YYYYMMDDThhmmssZ");
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? refuse("AccessDenied", "X-Amz-Date is not a date") : date;
}

function signable({ method, path, query, headers }: S3Request, signed: Set<string>) {
  const sent = [...signed].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  );
  const names = new Set([...query.keys()].filter((name) => name !== "X-Amz-Signature"));
  return {
    method,
    protocol: "http:",
    hostname: "",
    path,
    headers: Object.fromEntries(sent) as Record<string, string>,
    query: Object.fromEntries(Array.from(names, (name) => [name, query.getAll(name)])),
  };
}

function compare(received: string | undefined, expected: string | undefined) {
  const [one, other] = [Buffer.from(received ?? ""), Buffer.from(expected ?? "")];
  if (one.length !== other.length || !timingSafeEqual(one, other)) {
    refuse("SignatureDoesNotMatch", "The signature does not match the request");
  }
}

function payloadSha256(payload: string): PayloadSha256 {
  if (payload === UNSIGNED) return undefined;
  if (payload.startsWith("STREAMING-")) refuse("NotImplemented", "Chunked signatures are not supported");
  return /^[0-9a-f]{64}$/.test(payload)
    ? payload
    : refuse("InvalidArgument", "x-amz-content-sha256 is not a SHA-256");
}
