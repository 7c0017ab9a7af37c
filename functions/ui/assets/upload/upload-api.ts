import * as Turbo from "@hotwired/turbo";
import { reader } from "../own-reader.ts";

/** Calls the API as the reader of the page, with the short token that the site gives its scripts. */

/** Milliseconds before each repetition. */
const WAITS_MS = [500, 1000, 2000, 4000, 8000];
/** Milliseconds without a byte or an answer. A connection may be dead without a word, and some browsers wait for ever. */
export const SILENCE_MS = 120_000;
/** Milliseconds that a token must still hold. */
const TOKEN_RESERVE_MS = 30_000;
/** A token that has just ended and a busy service pass. */
const PASSING: (number | undefined)[] = [401, 502, 503, 504];

type Method = "GET" | "POST" | "PUT" | "DELETE";

interface Options {
  json?: object;
  form?: FormData;
  signal?: AbortSignal;
  /** Outlives this call. Default: a new one. */
  key?: string;
}

let api = "";

/** {api_url}, which the page names. */
export const setApi = (url: string): void => {
  api = url;
};

let token: { value: string; endsAt: number } | undefined;

/**
 * The API refused. `causes` are its messages, such as `track[title]: must not be empty`. The status is 0 without an
 * answer, and `undefined` if nothing was sent.
 */
export class ApiError extends Error {
  readonly status: number | undefined;
  readonly causes: string[];

  constructor(status: number | undefined, causes: string[]) {
    super(causes.map(sentence).join(" "));
    this.status = status;
    this.causes = causes;
  }
}

/** A cause without the name that only programs know. */
const sentence = (cause: string) =>
  cause.replace(/^[a-z_]+(?:\[\w+\])?: (.)/s, (_, first: string) => first.toUpperCase());

class SignedOut extends ApiError {
  constructor() {
    super(401, ["You are signed out. Sign in again in another tab, then come back and try again."]);
  }
}

/** Another reader signed in in another tab. A page sends for its own reader only. */
class AnotherSignedIn extends ApiError {
  constructor() {
    const now = "Somebody else is signed in in this browser now.";
    super(403, [`${now} Sign in as before in another tab, then come back and try again.`]);
  }
}

/** Makes anything thrown an error with a text for people. */
export const problemOf = (error: unknown): ApiError =>
  error instanceof ApiError
    ? error
    : new ApiError(undefined, [error instanceof Error ? error.message : String(error)]);

export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** Waits while the browser knows that it is offline. */
export async function online(signal?: AbortSignal): Promise<void> {
  while (!navigator.onLine) await pause(1000, signal);
}

interface SiteToken {
  access_token: string;
  /** Seconds. */
  expires_in: number;
  user_id: number;
}

async function currentToken(signal?: AbortSignal): Promise<string> {
  if (token && token.endsAt - TOKEN_RESERVE_MS > Date.now()) return token.value;
  const reply = await fetch("/session/token", { headers: { Accept: "application/json" }, signal });
  if (reply.status === 401) throw new SignedOut();
  if (!reply.ok) throw new ApiError(reply.status, ["The service cannot be reached just now."]);
  const { access_token, expires_in, user_id }: SiteToken = await reply.json();
  if (String(user_id) !== reader) throw new AnotherSignedIn();
  token = { value: access_token, endsAt: Date.now() + expires_in * 1000 };
  return token.value;
}

/**
 * Returns the body of the reply, of the type that the API document names. What may pass is tried again; a key keeps a
 * repeated POST from acting twice.
 */
export async function callApi<Reply>(method: Method, path: string, options: Options = {}): Promise<Reply> {
  const { form, signal, key = crypto.randomUUID() } = options;
  let wasRefused = false;
  for (let attempt = 0; ; attempt++) {
    await online(signal);
    const call = (either?: AbortSignal) => callOnce<Reply>(method, path, { ...options, signal: either }, key);
    const outcome = await (form ? call(signal) : unlessSilent(call, signal)).catch(passing);
    if (!(outcome instanceof ApiError)) return outcome;
    const isRefused = outcome.status === 401;
    // A new token is refused, too: the session was ended elsewhere, as by a reset password.
    if (isRefused && wasRefused) throw new SignedOut();
    wasRefused = isRefused;
    const waitMs = WAITS_MS[attempt];
    if (waitMs === undefined) throw outcome;
    await pause(waitMs, signal);
  }
}

/** Returns undefined for what is not there. */
export const findInApi = <Reply>(path: string, options?: Options): Promise<Reply | undefined> =>
  callApi<Reply>("GET", path, options).catch((error) => {
    if (problemOf(error).status !== 404) throw error;
    return undefined;
  });

/** Ends `call` when it has got no answer for long. The bytes of a form may take longer. */
async function unlessSilent<Reply>(
  call: (signal: AbortSignal) => Promise<Reply>,
  signal?: AbortSignal,
): Promise<Reply> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new TypeError("no answer")), SILENCE_MS);
  try {
    return await call(AbortSignal.any(signal ? [signal, silence.signal] : [silence.signal]));
  } finally {
    clearTimeout(timer);
  }
}

interface Refusal {
  errors?: { error_message: string }[];
}

async function callOnce<Reply>(
  method: Method,
  path: string,
  { json, form, signal }: Options,
  key: string,
): Promise<Reply> {
  const headers = new Headers({
    Accept: "application/json",
    Authorization: `Bearer ${await currentToken(signal)}`,
  });
  if (json) headers.set("Content-Type", "application/json");
  if (method === "POST") headers.set("Idempotency-Key", key);
  const body = form ?? (json && JSON.stringify(json));
  const reply = await fetch(`${api}${path}`, { method, headers, signal, body });
  const said = await reply.json().catch(() => ({}));
  // Back must not show a copy from before the change.
  if (method !== "GET") Turbo.cache.clear();
  if (reply.ok) return said;
  if (reply.status === 401) token = undefined;
  const { errors }: Refusal = said;
  throw new ApiError(
    reply.status,
    errors?.map(({ error_message }) => error_message) ?? ["That did not work."],
  );
}

/** Returns a refusal that may pass, such as a broken connection. */
function passing(error: unknown): ApiError {
  if (error instanceof TypeError) return new ApiError(0, ["The service cannot be reached."]);
  if (error instanceof ApiError && !(error instanceof SignedOut) && PASSING.includes(error.status))
    return error;
  throw error;
}
