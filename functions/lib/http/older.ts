import type { Context } from "hono";
import { leaveForm, readLeadingFields } from "./body/form-parts.ts";
import { isMultipart } from "./body/multipart.ts";
import { noteDeprecated, OLDER_BEHAVIOUR } from "./deprecations.ts";
import type { AppEnv } from "./env.ts";
import { urlOf } from "./url.ts";

/** The credential in the query or form, in place of the header. */
export interface OlderCredential {
  token: string | undefined;
  clientId: string | undefined;
}

declare module "hono" {
  interface ContextVariableMap {
    /** `undefined` means the current dialect. */
    dialect: "older" | undefined;
    olderCredential: OlderCredential | undefined;
  }
}

/** A quick check that rules out nearly all requests. */
export const mayBeOlder = (c: Context<AppEnv>): boolean =>
  c.env.OLDER_BEHAVIOUR === "on" && (urlOf(c).includes("?") || bringsForm(c) || cameByOlderHost(c));

/** Sets the dialect by the credential or the host. */
export async function readDialect(c: Context<AppEnv>): Promise<void> {
  const byHost = cameByOlderHost(c);
  const inQuery = credentialInQuery(c);
  // `partsOf` reads multipart forms, and records the format, too.
  const readsForm = bringsForm(c) && (!inQuery || (byHost && isUrlEncoded(c.req.raw)));
  const form = readsForm ? await formOf(c) : undefined;
  const credential = inQuery ?? (form && credentialIn(form));
  c.set("olderCredential", credential);
  if (credential !== undefined || byHost) c.set("dialect", "older");
  if (byHost && form) c.set("formatInForm", form.get("format") ?? undefined);
}

/** Stops the reading that `readDialect` began, and notes what is older. */
export async function leaveDialect(c: Context<AppEnv>): Promise<void> {
  if (c.get("startedForm")) await leaveForm(c);
  if (c.get("dialect") !== "older") return;
  noteDeprecated(c, OLDER_BEHAVIOUR);
  // The URL holds the credential, so nobody else may get the reply from a cache.
  if (c.get("olderCredential")) c.header("Cache-Control", "private, no-store");
}

export function cameByOlderHost(c: Context<AppEnv>): boolean {
  const { OLDER_API_URL, OLDER_BEHAVIOUR } = c.env;
  const isThere = OLDER_API_URL !== undefined && OLDER_BEHAVIOUR === "on";
  return isThere && hostOf(urlOf(c)) === hostOf(OLDER_API_URL);
}

/** Searches the string, because parsing the URL would cost more than all checks here. */
function hostOf(url: string): string {
  const start = url.indexOf("//") + 2;
  const end = url.indexOf("/", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

function credentialInQuery(c: Context<AppEnv>): OlderCredential | undefined {
  const url = urlOf(c);
  const query = url.indexOf("?");
  return query < 0 ? undefined : credentialIn(new URLSearchParams(url.slice(query)));
}

/** A GET carries no form. */
const bringsForm = ({ req }: Context<AppEnv>): boolean =>
  req.method !== "GET" && (isUrlEncoded(req.raw) || isMultipart(req.raw));

const isUrlEncoded = (request: Request): boolean =>
  /^application\/x-www-form-urlencoded/i.test(request.headers.get("Content-Type") ?? "");

/**
 * The credential must precede the files of a multipart form: strangers may not upload. With an
 * `Authorization` header the form is left to its handler.
 */
async function formOf(c: Context<AppEnv>): Promise<URLSearchParams> {
  if (!isMultipart(c.req.raw)) return smallForm(c.req.raw);
  return new URLSearchParams(c.req.header("Authorization") === undefined ? await readLeadingFields(c) : []);
}

/** Printable and short. Any other value identifies nobody. */
const CREDENTIAL = /^[\x21-\x7e]{1,4096}$/;

function credentialIn(parameters: URLSearchParams): OlderCredential | undefined {
  const token = parameters.get("oauth_token") ?? undefined;
  const clientId = parameters.get("client_id") ?? parameters.get("consumer_key") ?? undefined;
  if (token === undefined && clientId === undefined) return undefined;
  const valid = (value: string | undefined) => (value && CREDENTIAL.test(value) ? value : undefined);
  // A malformed token must not fall back on the client id.
  return { token: valid(token), clientId: token === undefined ? valid(clientId) : undefined };
}

/** Bytes. A larger form is an upload, which is not read twice. */
const MAX_FORM_BYTES = 64 * 1024;

/** Reads a copy, because the handler reads the form again. */
async function smallForm(request: Request): Promise<URLSearchParams> {
  const length = Number(request.headers.get("Content-Length") ?? 0);
  const readable = length > 0 && length <= MAX_FORM_BYTES;
  if (!readable) return new URLSearchParams();
  // The handler refuses a body that ended early.
  return new URLSearchParams(
    await request
      .clone()
      .text()
      .catch(() => ""),
  );
}
