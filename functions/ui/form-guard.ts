import { createHash } from "node:crypto";
import type { Context } from "hono";
import { HttpError } from "../lib/errors/http-error.ts";
import type { Files, SentFile } from "../lib/http/body/multipart-body.ts";
import { type BodyType, readBody } from "../lib/http/body/read.ts";
import type { AppEnv } from "../lib/http/env.ts";
import { forbidden } from "../lib/http/errors.ts";
import { sign, verify } from "../lib/security/signing.ts";
import { formCookie, readFormCookie, SITE_SESSION_TTL_S, siteSessionHash } from "./cookies.ts";
import { siteViewer } from "./viewer.ts";

/**
 * Seconds that a form is valid. For signed-in users it lasts as long as the session: a page stays open while music
 * plays, and an expired form loses the user's text.
 */
const FORM_TTL_S = 3600;
const OWN_FORM_TTL_S = SITE_SESSION_TTL_S;

/** The content of a form token. The nonce makes each one different. */
type FormToken = [shownTo: string, shownFor: string, expiresAtS: number, isOfSession: boolean, nonce: string];

declare module "hono" {
  interface ContextVariableMap {
    /** The text of a submitted form, for an error's page. */
    sentFields: Record<string, string> | undefined;
  }
}

function sessionBinding(c: Context<AppEnv>): string | undefined {
  const viewer = siteViewer(c);
  return siteSessionHash(c) ?? (viewer && `session ${viewer.sessionId}`);
}

/** The form was shown to a user who has signed out since. Pages of the site redirect to the sign-in and back. */
export class SenderSignedOut extends HttpError {
  constructor() {
    super(403, ["You have signed out since the form was shown; sign in and open it again"]);
    this.name = "SenderSignedOut";
  }
}

/** The session changed after the form was shown. */
const SIGNED_IN_ANEW =
  "Somebody has signed in in this browser since the form was shown, so nothing was changed; open the form again";

const EXPIRED = "The form has expired or was meant for another action; open it again";

const NO_COOKIE = "Your browser sent no cookie with the form; allow this site's cookies and open it again";

/** Seconds that a form shown now is valid. */
export const formTtlS = (c: Context<AppEnv>): number => (sessionBinding(c) ? OWN_FORM_TTL_S : FORM_TTL_S);

/** Makes the hidden field `form_token`. It is valid only for the action that `subject` names. */
export function formToken(c: Context<AppEnv>, subject: string): string {
  const session = sessionBinding(c);
  const binding = session ?? formCookie(c);
  const expiresAtS = Math.ceil(Date.now() / 1000) + formTtlS(c);
  const token: FormToken = [
    digest(binding),
    digest(subject),
    expiresAtS,
    session !== undefined,
    crypto.randomUUID(),
  ];
  return sign(c.env, "form", JSON.stringify(token));
}

/** Returns the form's fields, or throws 403 unless one of our pages sent it. */
export const readOwnForm = async (c: Context<AppEnv>, subject: string): Promise<Record<string, string>> =>
  textsIn(await readOwn(c, subject, "form"));

interface FileField {
  field: string;
  /** A larger file is cut just above its limit and refused by its field. */
  maxBytes: number;
}

/** Returns the form's file, or `undefined` without one. */
export const readOwnFile = async (
  c: Context<AppEnv>,
  subject: string,
  field: FileField,
): Promise<SentFile | undefined> => (await readOwnParts(c, subject, field)).file;

/** Returns the form's fields and its file, `undefined` without one. */
export async function readOwnParts(
  c: Context<AppEnv>,
  subject: string,
  { field, maxBytes }: FileField,
): Promise<{ fields: Record<string, string>; file: SentFile | undefined }> {
  const sent = await readOwn(c, subject, "multipart", new Map([[field, maxBytes]]));
  const chosen = sent[field];
  // A text field of that name counts as no file.
  const file = typeof chosen === "object" ? (chosen as SentFile) : undefined;
  return { fields: textsIn(sent), file };
}

async function readOwn(
  c: Context<AppEnv>,
  subject: string,
  type: BodyType,
  fields: Files["fields"] = new Map(),
): Promise<Record<string, unknown>> {
  refuseForeignOrigin(c);
  // The token precedes every file, and no file is read without it. A refused form's text goes back to its writer.
  const admits = (before: Record<string, unknown>) => !refusalOf(c, subject, before);
  const sent = (await readBody(c, [type], { fields, large: "cut", admits })) as Record<string, unknown>;
  const refusal = refusalOf(c, subject, sent);
  c.set("sentFields", textsIn(sent));
  if (refusal) throw refusal;
  return sent;
}

/** Returns the reason to refuse one of our forms, if any. Throws 403 for any other form. */
function refusalOf(
  c: Context<AppEnv>,
  subject: string,
  { form_token }: Record<string, unknown>,
): HttpError | undefined {
  const payload = verify(c.env, "form", typeof form_token === "string" ? form_token : "");
  if (payload === undefined) return forbidden("The form does not come from our page");
  const [shownTo, shownFor, expiresAtS, isOfSession] = JSON.parse(payload) as FormToken;
  const session = sessionBinding(c);
  if (isOfSession && session === undefined) return new SenderSignedOut();
  const binding = session ?? readFormCookie(c);
  if (binding === undefined) return new HttpError(403, [NO_COOKIE]);
  const isShownTo = shownTo === digest(binding);
  if (isOfSession && !isShownTo) return new HttpError(403, [SIGNED_IN_ANEW]);
  const isOurs = isShownTo && shownFor === digest(subject) && expiresAtS * 1000 > Date.now();
  return isOurs ? undefined : new HttpError(403, [EXPIRED]);
}

/**
 * Checks the origin that browsers send; without one, the token alone decides. `null` counts as none:
 * `Referrer-Policy: no-referrer` makes our own forms send it. `Sec-Fetch-Site` reveals a foreign frame.
 */
function refuseForeignOrigin(c: Context<AppEnv>): void {
  const origin = c.req.header("Origin");
  const site = c.req.header("Sec-Fetch-Site");
  const own = [c.env.AUTH_URL, c.env.WEB_URL].map((url) => new URL(url).origin);
  if (origin !== undefined && origin !== "null" && !own.includes(origin))
    forbidden("The form was sent from another site");
  if (site !== undefined && site !== "same-origin" && site !== "same-site" && site !== "none") {
    forbidden("The form was sent from another site");
  }
}

/** Our forms have no nested fields. */
const textsIn = (sent: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sent).filter((field): field is [string, string] => typeof field[1] === "string"),
  );

const digest = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 22);
