import { addressOf, type Values } from "./address.ts";
import { UnauthorizedError } from "./api-errors.ts";
import type { Paths } from "./api-types.ts";
import { type EventOptions, EventStream } from "./events.ts";
import { isJson, jsonOf } from "./json.ts";
import { readPages } from "./paging.ts";
import { type Fetch, type Outgoing, send, type Transport } from "./send.ts";
import type { Session } from "./session.ts";
import type { Input, InputArguments, ItemOf, ListPath, Method, Page, PathOf, Reply } from "./types.ts";

/** A call at run time, without its types. */
interface Call {
  path?: Values;
  query?: Values;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export type TokenSource = string | (() => string | undefined | Promise<string | undefined>);

export interface ClientParts {
  transport: Transport;
  apiUrl: string;
  session: Session;
  token: TokenSource | undefined;
}

/** Calls the API. Paths, inputs and replies are those of the service's API document. */
export class Client {
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** Signs in and out. */
  get session(): Session {
    return this.#parts.session;
  }

  get apiUrl(): string {
    return this.#parts.apiUrl;
  }

  /** Sends requests to other hosts, such as storage. */
  get fetch(): Fetch {
    return this.#parts.transport.fetch;
  }

  get = <Path extends PathOf<"get">>(path: Path, ...[input]: InputArguments<"get", Path>) =>
    this.#read<Reply<"get", Path>>("get", path, input);
  post = <Path extends PathOf<"post">>(path: Path, ...[input]: InputArguments<"post", Path>) =>
    this.#read<Reply<"post", Path>>("post", path, input);
  put = <Path extends PathOf<"put">>(path: Path, ...[input]: InputArguments<"put", Path>) =>
    this.#read<Reply<"put", Path>>("put", path, input);
  delete = <Path extends PathOf<"delete">>(path: Path, ...[input]: InputArguments<"delete", Path>) =>
    this.#read<Reply<"delete", Path>>("delete", path, input);

  /** Returns the whole reply, for its headers. */
  request = <M extends Method, Path extends PathOf<M>>(
    method: M,
    path: Path,
    ...[input]: InputArguments<M, Path>
  ): Promise<Response> => this.#send(method, path, input as Call);

  /** The pages of a list, one request each. */
  pages = <Path extends ListPath>(path: Path, input?: Input<"get", Path>) =>
    readPages<Page<ItemOf<Path>>>((query) =>
      this.#read("get", path, { ...input, query: { ...(input as Call)?.query, ...query } }),
    );

  /** The items of a list, across all pages. */
  async *each<Path extends ListPath>(
    path: Path,
    input?: Input<"get", Path>,
  ): AsyncGenerator<ItemOf<Path>, void> {
    for await (const { collection } of this.pages(path, input)) yield* collection;
  }

  /** The user's events as they happen, without loss or repetition across connections. */
  events = (options: EventOptions = {}): EventStream =>
    new EventStream((lastEventId, signal) => {
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (lastEventId !== undefined) headers["Last-Event-ID"] = lastEventId;
      return this.#send("get", "/me/events", { headers, signal });
    }, options);

  async #read<Body>(method: Method, path: keyof Paths, input: unknown): Promise<Body> {
    const reply = await this.#send(method, path, input as Call);
    return isJson(reply) ? jsonOf<Body>(reply) : (undefined as Body);
  }

  async #send(method: Method, path: keyof Paths, input: Call | undefined): Promise<Response> {
    const { transport, token, session } = this.#parts;
    const request = outgoing(this.#parts.apiUrl, method, path, input);
    const own = typeof token === "function" ? await token() : (token ?? (await session.tokens.current()));
    try {
      return await send(transport, withToken(request, own));
    } catch (error) {
      if (!isRefusedToken(error) || token !== undefined || own === undefined) throw error;
      return send(transport, withToken(request, await session.tokens.renew(own)));
    }
  }
}

/** Not an app's own token where a user's is needed: a new one would be refused too, and a service issues few. */
const isRefusedToken = (error: unknown): boolean =>
  error instanceof UnauthorizedError && !error.link?.endsWith("#user-token-needed");

const withToken = (request: Outgoing, token: string | undefined): Outgoing =>
  token === undefined
    ? request
    : { ...request, headers: { ...request.headers, Authorization: `OAuth ${token}` } };

/** Compares names without case: two spellings of a header would be sent as one with both values. */
function replaced(own: Record<string, string>, given: Record<string, string> = {}): Record<string, string> {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const left = Object.entries(own).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(left), ...given };
}

/** A POST gets a key, so that a retry has no second effect. */
function outgoing(apiUrl: string, method: Method, path: string, input: Call | undefined): Outgoing {
  const { path: values, query, body, headers, signal } = input ?? {};
  const asJson = body !== undefined && !(body instanceof FormData);
  const own = {
    Accept: "application/json",
    ...(asJson && { "Content-Type": "application/json" }),
    ...(method === "post" && { "Idempotency-Key": crypto.randomUUID() }),
  };
  return {
    url: addressOf(apiUrl, path, values, query),
    method: method.toUpperCase(),
    headers: replaced(own, headers),
    body: asJson ? JSON.stringify(body) : (body as FormData | undefined),
    signal,
    repeatable: true,
  };
}
