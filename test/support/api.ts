import { Contract } from "./contract.ts";
import { Ledger } from "./ledger.ts";
import type { Person } from "./people.ts";
import { stack } from "./stack.ts";
import { readXml } from "./xml.ts";

export interface Reply<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Options {
  json?: unknown;
  form?: Record<string, string>;
  /** Sent unchanged, for malformed bodies. */
  raw?: BodyInit;
  headers?: Record<string, string>;
  redirect?: "follow" | "manual";
}

let contract: Promise<Contract> | undefined;

/** Replies to this file's writes. */
export const ledger = new Ledger();

const loadContract = () =>
  (contract ??= fetch(`${stack.urls.api}/openapi.json`).then(
    async (reply) => new Contract(await reply.json()),
  ));

/** Checks each exchange against the service's OpenAPI document. */
class Client {
  readonly #token: string | undefined;

  constructor(token: string | undefined) {
    this.#token = token;
  }

  as(who: Person | { token: string }): Client {
    return new Client(who.token);
  }

  get = <Body = Record<string, never>>(path: string, options?: Options) =>
    this.#call<Body>("GET", path, options);
  post = <Body = Record<string, never>>(path: string, options?: Options) =>
    this.#call<Body>("POST", path, options);
  put = <Body = Record<string, never>>(path: string, options?: Options) =>
    this.#call<Body>("PUT", path, options);
  delete = <Body = Record<string, never>>(path: string, options?: Options) =>
    this.#call<Body>("DELETE", path, options);

  async #call<Body>(method: string, path: string, options: Options = {}): Promise<Reply<Body>> {
    const { json, form, raw, headers, redirect = "manual" } = options;
    const body = raw ?? (json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(form));
    const reply = await fetch(path.startsWith("http") ? path : stack.urls.api + path, {
      method,
      redirect,
      ...(body !== undefined && { body }),
      headers: {
        ...(this.#token !== undefined && { Authorization: `OAuth ${this.#token}` }),
        ...(json !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
    });
    const contentType = reply.headers.get("Content-Type") ?? "";
    const parsed = bodyOf(contentType, await reply.text());
    const { pathname } = new URL(reply.url);
    const older = reply.headers.has("Sunset") && isOlder(reply.url, form ?? raw);
    (await loadContract()).check({
      method,
      path: pathname,
      sent: json,
      status: reply.status,
      contentType,
      body: parsed,
      older,
    });
    const key = headers?.["Idempotency-Key"];
    ledger.note({
      method,
      path: pathname,
      sent: json,
      status: reply.status,
      body: parsed,
      key: key && `${this.#token} ${key}`,
    });
    return { status: reply.status, headers: reply.headers, body: parsed as Body };
  }
}

const OLDER_CREDENTIALS = ["oauth_token", "client_id", "consumer_key"];

/** Whether a request speaks the older dialect, by its host or its credential. Other deprecations have a `Sunset`, too. */
function isOlder(url: string, body: Options["form"] | BodyInit): boolean {
  const { origin, searchParams } = new URL(url);
  if (origin === stack.urls.older) return true;
  const inForm = (name: string) =>
    body instanceof FormData || body instanceof URLSearchParams
      ? body.has(name)
      : typeof body === "object" && name in body;
  return OLDER_CREDENTIALS.some((name) => searchParams.has(name) || inForm(name));
}

/** Parses XML, so that the schema of JSON applies to it. */
function bodyOf(contentType: string, text: string): unknown {
  if (contentType.startsWith("application/json")) return JSON.parse(text);
  return contentType.startsWith("application/xml") ? readXml(text) : text;
}

/** Sends no token. `api.as(person)` sends theirs. */
export const api = new Client(undefined);

export interface ErrorReply {
  code: number;
  message: string;
  errors: { error_message: string }[];
}

/** An error's JSON as far as it says why: each request has an id of its own. */
export const withoutRequestId = (json: string): string => json.replace(/"request_id":"[^"]+"/, "");
