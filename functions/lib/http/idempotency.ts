import { createHash, randomUUID } from "node:crypto";
import type { Context } from "hono";
import * as z from "zod";
import type { KeyClaim, KeyedRequest, KeyOutcome } from "../../../db/keyed.ts";
import { freeKey, keepKeyAlone } from "../../../db/queries/idempotency.ts";
import { HttpError } from "../errors/http-error.ts";
import { seal, unsealBase64 } from "../security/sealing.ts";
import { isMultipart } from "./body/multipart.ts";
import { MAX_JSON_BYTES, readBytes } from "./body/read.ts";
import type { TokenEnv, Viewer } from "./env.ts";
import { badRequest, conflict, explainError, invalid } from "./errors.ts";
import { markInner } from "./inner.ts";
import { describeError, logLine } from "./log.ts";

/** Seconds that the first request's result is kept. */
const KEPT_S = 24 * 60 * 60;

/** The draft's RFC 9651 string, and the same without quotes, which most clients send. */
const QUOTED_KEY = /^"((?:[ !#-[\]-~]|\\["\\])+)"$/;
const BARE_KEY = /^[!#-+\--[\]-~]+$/;
const MAX_KEY_LENGTH = 255;

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
      "Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of " +
        "more than 64 KiB as what it made is now. " +
        "422: the key was used for another request. 409: the first request is still running. " +
        `It has 1 to ${MAX_KEY_LENGTH} printable ASCII characters; take a UUID.`,
    ),
});

type Answer = () => Response | Promise<Response>;

/** The part of a contract that repetitions need. */
interface Repetition {
  isRepeatable?: true | undefined;
  madeAt?: string | undefined;
  replies: Record<number, unknown>;
}

/**
 * Answers a POST, or repeats the reply to the first request with its `Idempotency-Key`
 * (draft-ietf-httpapi-idempotency-key-header). A repetition runs the handler on the result that the first request's
 * statement stored in its transaction. Without such a statement, repeating changes nothing (`isRepeatable`).
 */
export function answerOnce<Env extends TokenEnv>(
  c: Context<Env>,
  answer: Answer,
  repetition: Repetition,
): Response | Promise<Response> {
  const sent = c.req.header("Idempotency-Key");
  return sent === undefined ? answer() : answerWithKey(c, keyIn(sent), answer, repetition);
}

async function answerWithKey<Env extends TokenEnv>(
  c: Context<Env>,
  key: string,
  answer: Answer,
  repetition: Repetition,
): Promise<Response> {
  const request = new IdempotentRequest(c, c.get("viewer"), key);
  c.set("idempotent", request);
  c.set("db", c.get("db").under(request));
  if (!isMultipart(c.req.raw)) request.identify(await bodyOf(c));
  const work = async () => {
    if (repetition.isRepeatable) await keepKeyAlone(c.get("db"), c.get("viewer"));
    return answer();
  };
  const working = answerAndSettle(c, request, work, repetition);
  // Finishes even if the client hangs up, because it will retry with the same key.
  c.executionCtx.waitUntil(working.catch(() => {}));
  return working;
}

async function answerAndSettle<Env extends TokenEnv>(
  c: Context<Env>,
  request: IdempotentRequest,
  answer: Answer,
  repetition: Repetition,
): Promise<Response> {
  try {
    const reply = await answer();
    if (reply.status >= 400) await request.free();
    else request.checkKept();
    if (request.isRepetition) reply.headers.set(...REPLAYED);
    return reply;
  } catch (error) {
    if (error instanceof MadeBefore) return showAgain(c, error.id, repetition);
    // After these the outcome is unknown, or the work is done.
    if (![500, 504].includes(explainError(error, c as never).status)) await request.free();
    throw error;
  }
}

const REPLAYED = ["Idempotent-Replayed", "true"] as const;

/** The first request's reply was too large to store. */
export class MadeBefore extends Error {
  override readonly name = "MadeBefore";
  readonly id: number | null;

  constructor(id: number | null) {
    super("an earlier request made it");
    this.id = id;
  }
}

/**
 * Replies with the current state of the resource that the first request created or changed. Its scope allowed the first
 * reply, so it allows this one.
 */
async function showAgain<Env extends TokenEnv>(
  c: Context<Env>,
  id: number | null,
  { madeAt = c.req.path.replace(/\.\w+$/, ""), replies }: Repetition,
): Promise<Response> {
  const uri = `${c.env.API_URL}${madeAt}/${id}`;
  const request = new Request(uri, { headers: { Accept: "application/json" } });
  const { sessionId, clientId, userId }: Viewer = c.get("viewer");
  const from = { viewer: { sessionId, clientId, userId }, log: c.get("log") };
  const found = await c.get("answerInner")(markInner(request, from));
  if (found.status !== 200) return lost();
  const headers = new Headers([["Content-Type", "application/json; charset=utf-8"], [...REPLAYED]]);
  if (replies[201]) headers.set("Location", uri);
  return new Response(found.body, { status: replies[201] ? 201 : 200, headers });
}

const lost = () => conflict("Idempotency-Key: the first request succeeded; its reply can no longer be shown");

/**
 * Fingerprints a multipart form by its fields, because it is too large to buffer. `form` holds files as bytes or
 * digests. Call it before the work.
 */
export const identifyForm = (c: Context, form: unknown): void =>
  c.get("idempotent")?.identify(JSON.stringify(form, digestFile));

/** A secret that only the reply shows. In a repetition it is the first request's, once the work is done. */
export function shownOnce(c: Pick<Context, "var">, text: string): { readonly text: string } {
  const shown = { text };
  c.var.idempotent?.shows(shown);
  return shown;
}

const digestFile = (_name: string, value: unknown) =>
  value instanceof Uint8Array ? sha256(value).toString("base64") : value;

const mediaType = (c: Asking) => c.req.header("Content-Type")?.toLowerCase() ?? "";

/** The query without an older client's token, which may be refreshed between retries. */
const queryOf = (c: Asking) => {
  const [, query = ""] = c.req.url.split(/\?(.*)/s);
  return query
    .split("&")
    .filter((each) => !each.startsWith("oauth_token="))
    .join("&");
};

/** Buffers the body, because the handler reads it again. Refuses a body above every handler's limit unread. */
async function bodyOf(c: Asking): Promise<Uint8Array> {
  const { raw } = c.req;
  const bytes = await readBytes(raw, MAX_JSON_BYTES);
  if (raw.body) c.req.raw = new Request(raw, { body: bytes });
  return bytes;
}

export function keyIn(header: string): string {
  const key = QUOTED_KEY.exec(header)?.[1]?.replace(/\\(.)/g, "$1") ?? BARE_KEY.exec(header)?.[0];
  if (key === undefined || key.length > MAX_KEY_LENGTH)
    return badRequest(
      `Idempotency-Key: must be 1 to ${MAX_KEY_LENGTH} printable ASCII characters, preferably a UUID`,
    );
  return key;
}

const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  // Lengths delimit the parts. Without them, differently divided parts would hash alike.
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest();
};

/** Keyed by app and user, not by session: the client may refresh its token in between. */
export const keyHashOf = ({ clientId, userId }: Pick<Viewer, "clientId" | "userId">, key: string) =>
  sha256(clientId, String(userId), key);

type Asking = Pick<Context<TokenEnv>, "req" | "env" | "var">;

class IdempotentRequest implements KeyedRequest {
  readonly #c: Asking;
  readonly #viewer: Viewer;
  readonly #keyHash: Uint8Array;
  readonly #claim = randomUUID();
  #fingerprint: Uint8Array | undefined;
  #shown: { text: string } | undefined;
  #outcome: KeyOutcome["outcome"] | undefined;

  constructor(c: Asking, viewer: Viewer, key: string) {
    this.#c = c;
    this.#viewer = viewer;
    this.#keyHash = keyHashOf(viewer, key);
  }

  /** Whether an earlier request did the work. Known once the work is done. */
  get isRepetition(): boolean {
    return this.#outcome === "done_before";
  }

  identify(content: string | Uint8Array): void {
    const { req } = this.#c;
    // The boundary differs each time.
    const type = isMultipart(req.raw) ? "multipart/form-data" : mediaType(this.#c);
    this.#fingerprint = sha256(req.method, req.path, queryOf(this.#c), type, content);
  }

  shows(shown: { text: string }): void {
    this.#shown = shown;
  }

  claim(): KeyClaim | undefined {
    return (
      this.#fingerprint && {
        caller: this.#viewer,
        keyHash: this.#keyHash,
        fingerprint: this.#fingerprint,
        claim: this.#claim,
        secret: this.#shown && seal(this.#c.env, this.#shown.text),
        keptS: KEPT_S,
      }
    );
  }

  settle(found: KeyOutcome): unknown {
    this.#outcome = found.outcome;
    switch (found.outcome) {
      case "done_before":
        if (this.#shown) this.#shown.text = unsealBase64(this.#c.env, found.secret ?? "") ?? lost();
        return found.result;
      case "made":
        throw new MadeBefore(found.id);
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
      default:
        return found.result;
    }
  }

  /** Frees the key of a request that was refused after its work and has undone it. */
  async free(): Promise<void> {
    const claim = this.#outcome === "done" ? this.claim() : undefined;
    if (!claim) return;
    await freeKey(this.#c.var.db, claim).catch((error: unknown) => this.#warn(describeError(error)));
  }

  /** Warns of a POST without a function among `WORKS`. */
  checkKept(): void {
    if (this.#outcome === undefined || this.#outcome === "refused") this.#warn({ error: "no work was done" });
  }

  #warn(fields: Record<string, unknown>): void {
    logLine("warn", "idempotency_key_not_settled", { request_id: this.#c.var.requestId, ...fields });
  }
}
