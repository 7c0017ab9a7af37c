import { createHash, randomUUID } from "node:crypto";
import type { Context } from "hono";
import * as z from "zod";
import {
  claimIdempotencyKey,
  type KeyClaim,
  releaseIdempotencyKey,
  rememberReply,
} from "../../db/queries/idempotency.ts";
import { HttpError } from "../http-error.ts";
import { seal, unsealBase64 } from "../security/sealing.ts";
import { isMultipart } from "./body/multipart.ts";
import { MAX_JSON_BYTES, readBytes } from "./body/read.ts";
import type { AppEnv, TokenEnv, Viewer } from "./env.ts";
import { badRequest, conflict, invalid } from "./errors.ts";
import { describeError, logLine } from "./log.ts";

/** Seconds that a dead request blocks its key. No request runs longer once its body is read. */
const LEASE_S = 60;
/** Seconds that a first reply is stored. */
const REPLY_TTL_S = 24 * 60 * 60;

/** The draft's RFC 9651 string, and the same without quotes, which most clients send. */
const QUOTED_KEY = /^"((?:[ !#-[\]-~]|\\["\\])+)"$/;
const BARE_KEY = /^[!#-+\--[\]-~]+$/;
const MAX_KEY_LENGTH = 255;

/** Headers that are replayed. */
const REPLAYED_HEADERS = ["Content-Type", "Location", "Cache-Control", "ETag"];

interface FirstReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

declare module "hono" {
  interface ContextVariableMap {
    idempotent: IdempotentRequest | undefined;
  }
}

/** Documents each POST with a token. */
export const IDEMPOTENCY_KEY = z.object({
  "Idempotency-Key": z
    .string()
    .optional()
    .describe(
      "Makes repeating safe: the same key and body return the first successful reply again, for 24 hours. " +
        "422: the key was used for another request. 409: the first request is still running. " +
        `It has 1 to ${MAX_KEY_LENGTH} printable ASCII characters; take a UUID.`,
    ),
});

/**
 * Answers a POST, or replays the first reply to its `Idempotency-Key`
 * (draft-ietf-httpapi-idempotency-key-header). A refusal changed nothing, so its key is free again. The reply
 * is stored as JSON, so a repetition may ask for another format.
 */
export function answerOnce<Env extends TokenEnv>(
  c: Context<Env>,
  answer: () => Response | Promise<Response>,
): Response | Promise<Response> {
  const sent = c.req.header("Idempotency-Key");
  return sent === undefined ? answer() : answerWithKey(c, sent, answer);
}

async function answerWithKey<Env extends TokenEnv>(
  c: Context<Env>,
  sent: string,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const request = new IdempotentRequest(c, c.get("viewer"), keyIn(sent));
  c.set("idempotent", request);
  const answered = isMultipart(c.req.raw) ? undefined : await request.claim(await bodyOf(c));
  if (answered) return answered;
  const working = answerAndSettle(request, answer);
  // Finishes even if the client hangs up: it will come again with the same key.
  c.executionCtx.waitUntil(working.catch(() => {}));
  return working;
}

async function answerAndSettle(
  request: IdempotentRequest,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    const reply = await answer();
    await request.settle(reply);
    return reply;
  } catch (error) {
    await request.release();
    throw error;
  }
}

/**
 * Returns the stored reply for a multipart body, which is too large to buffer, or `undefined`. Call it before
 * acting on the body. `form` is the sent form with its files read or as digests.
 */
export const firstReplyTo = async (c: Context, form: unknown): Promise<Response | undefined> =>
  c.get("idempotent")?.claim(JSON.stringify(form, digestFile));

const digestFile = (_name: string, value: unknown) =>
  value instanceof Uint8Array ? sha256(value).toString("base64") : value;

const mediaType = (c: Asking) => c.req.header("Content-Type")?.toLowerCase() ?? "";

/** The handler reads the body again. It also refuses a body above every handler's limit, unread. */
async function bodyOf(c: Asking): Promise<Uint8Array> {
  const { raw } = c.req;
  const bytes = await readBytes(raw, MAX_JSON_BYTES);
  if (raw.body) c.req.raw = new Request(raw, { body: bytes });
  return bytes;
}

function keyIn(header: string): string {
  const key = QUOTED_KEY.exec(header)?.[1]?.replace(/\\(.)/g, "$1") ?? BARE_KEY.exec(header)?.[0];
  if (key === undefined || key.length > MAX_KEY_LENGTH)
    return badRequest(
      `Idempotency-Key: must be 1 to ${MAX_KEY_LENGTH} printable ASCII characters, preferably a UUID`,
    );
  return key;
}

const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  // Lengths separate the parts, which could otherwise be cut elsewhere.
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest();
};

/** Keyed by app and user, not by session: the client may refresh its token in between. */
export const keyHashOf = ({ clientId, userId }: Pick<Viewer, "clientId" | "userId">, key: string) =>
  sha256(clientId, String(userId), key);

/** The part of the context that every route has. */
interface Asking {
  req: Context["req"];
  env: AppEnv["Bindings"];
  var: Pick<AppEnv["Variables"], "db" | "requestId">;
}

class IdempotentRequest {
  readonly #c: Asking;
  readonly #viewer: Viewer;
  readonly #keyHash: Uint8Array;
  #claimed: KeyClaim | undefined;

  constructor(c: Asking, viewer: Viewer, key: string) {
    this.#c = c;
    this.#viewer = viewer;
    this.#keyHash = keyHashOf(viewer, key);
  }

  /** Returns the reply to the first request, or `undefined` if this is the first. */
  async claim(content: string | Uint8Array): Promise<Response | undefined> {
    const c = this.#c;
    // The boundary differs each time.
    const type = isMultipart(c.req.raw) ? "multipart/form-data" : mediaType(c);
    const claim = {
      keyHash: this.#keyHash,
      fingerprint: sha256(c.req.method, c.req.path, type, content),
      claim: randomUUID(),
      leaseS: LEASE_S,
      retentionS: REPLY_TTL_S,
    };
    const found = await claimIdempotencyKey(c.var.db, this.#viewer, claim);
    switch (found.outcome) {
      case "claimed":
        this.#claimed = claim;
        return undefined;
      case "replied":
        return replay(c.env, found.reply);
      case "running":
        throw new HttpError(
          409,
          ["Idempotency-Key: the first request with this key is still running"],
          { "Retry-After": "1" },
          "idempotency-key-in-use",
        );
      case "other_request":
        return invalid(
          "Idempotency-Key: was used for another request; use a new key for each",
          "idempotency-key-reused",
        );
    }
  }

  settle = (reply: Response): Promise<void> => this.#end(reply.status < 400 ? reply : undefined);

  /** A refusal changed nothing, so its key is free again. */
  release = (): Promise<void> => this.#end(undefined);

  /** The work is done by now. If this fails, the client still gets its reply and the lease expires. */
  async #end(reply: Response | undefined): Promise<void> {
    const { env, var: variables } = this.#c;
    const claimed = this.#claimed;
    if (!claimed) return;
    try {
      if (reply)
        await rememberReply(variables.db, claimed, seal(env, JSON.stringify(await firstReply(reply))));
      else await releaseIdempotencyKey(variables.db, claimed);
    } catch (error) {
      logLine("warn", "idempotency_key_not_settled", {
        request_id: variables.requestId,
        ...describeError(error),
      });
    }
  }
}

async function firstReply(reply: Response): Promise<FirstReply> {
  const headers: Record<string, string> = {};
  for (const name of REPLAYED_HEADERS) {
    const value = reply.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return { status: reply.status, headers, body: await reply.clone().text() };
}

function replay(env: AppEnv["Bindings"], sealed: string): Response {
  const opened = unsealBase64(env, sealed);
  if (opened === undefined)
    return conflict("Idempotency-Key: the first request succeeded; its reply can no longer be shown");
  const { status, headers, body } = JSON.parse(opened) as FirstReply;
  return new Response(body || null, { status, headers: { ...headers, "Idempotent-Replayed": "true" } });
}
