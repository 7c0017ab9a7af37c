import * as Turbo from "@hotwired/turbo";
import { reader } from "./own-reader.ts";

/** Calls the API as the reader of the page, with the short token that the site gives its scripts. */

/** Milliseconds before each repetition. */
const WAITS_MS = [500, 1000, 2000, 4000, 8000];
/** Milliseconds without a byte or an answer. A connection may be dead without a word, and some browsers wait for ever. */
export const SILENCE_MS = 120_000;
/** Milliseconds that a token must still hold. */
const TOKEN_RESERVE_MS = 30_000;

let token;

/** The API refused. `causes` are its messages, such as `track[title]: must not be empty`. */
export class ApiError extends Error {
  constructor(status, causes) {
    super(causes.map(sentence).join(" "));
    this.status = status;
    this.causes = causes;
  }
}

/** A cause without the name that only programs know. */
const sentence = (cause) => cause.replace(/^[a-z_]+(?:\[\w+\])?: (.)/s, (_, first) => first.toUpperCase());

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

export const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** Waits while the browser knows that it is offline. */
export async function online(signal) {
  while (!navigator.onLine) await pause(1000, signal);
}

async function currentToken(signal) {
  if (token && token.endsAt - TOKEN_RESERVE_MS > Date.now()) return token.value;
  const reply = await fetch("/session/token", { headers: { Accept: "application/json" }, signal });
  if (reply.status === 401) throw new SignedOut();
  if (!reply.ok) throw new ApiError(reply.status, ["The service cannot be reached just now."]);
  const { access_token, expires_in, user_id } = await reply.json();
  if (String(user_id) !== reader) throw new AnotherSignedIn();
  token = { value: access_token, endsAt: Date.now() + expires_in * 1000 };
  return token.value;
}

/** Returns the body of the reply. What may pass is tried again; a key keeps a repeated POST from acting twice. */
export async function callApi(api, method, path, { json, form, signal } = {}) {
  const key = crypto.randomUUID();
  let wasRefused = false;
  for (let attempt = 0; ; attempt++) {
    await online(signal);
    const call = (either) => callOnce(`${api}${path}`, { method, json, form, signal: either, key });
    const outcome = await (form ? call(signal) : unlessSilent(call, signal)).catch(passing);
    if (outcome.body !== undefined) return outcome.body;
    const isRefused = outcome.problem.status === 401;
    // A new token is refused, too: the session was ended elsewhere, as by a reset password.
    if (isRefused && wasRefused) throw new SignedOut();
    wasRefused = isRefused;
    if (attempt >= WAITS_MS.length) throw outcome.problem;
    await pause(WAITS_MS[attempt], signal);
  }
}

/** Returns undefined for what is not there. */
export const findInApi = (api, path, options) =>
  callApi(api, "GET", path, options).catch((error) => {
    if (error.status !== 404) throw error;
  });

/** Ends `call` when it has got no answer for long. The bytes of a form may take longer. */
async function unlessSilent(call, signal) {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new TypeError("no answer")), SILENCE_MS);
  try {
    return await call(AbortSignal.any(signal ? [signal, silence.signal] : [silence.signal]));
  } finally {
    clearTimeout(timer);
  }
}

async function callOnce(url, { method, json, form, signal, key }) {
  const headers = { Accept: "application/json", Authorization: `Bearer ${await currentToken(signal)}` };
  if (json) headers["Content-Type"] = "application/json";
  if (method === "POST") headers["Idempotency-Key"] = key;
  const reply = await fetch(url, { method, headers, signal, body: form ?? (json && JSON.stringify(json)) });
  const body = await reply.json().catch(() => ({}));
  // Back must not show a copy from before the change.
  if (method !== "GET") Turbo.cache.clear();
  if (reply.ok) return { body };
  if (reply.status === 401) token = undefined;
  throw new ApiError(
    reply.status,
    body.errors?.map(({ error_message }) => error_message) ?? ["That did not work."],
  );
}

/** Broken connections, a token that has just ended and a busy service pass. */
function passing(error) {
  if (error instanceof TypeError) return { problem: new ApiError(0, ["The service cannot be reached."]) };
  if (error instanceof SignedOut || ![401, 502, 503, 504].includes(error.status)) throw error;
  return { problem: error };
}
