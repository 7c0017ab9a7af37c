import { createHash, randomBytes } from "node:crypto";
import { hashSecret, newSecret, randomBase62 } from "../../functions/lib/security/random.ts";
import { createUser, type Person } from "./people.ts";
import { sql, stack } from "./stack.ts";

export interface ClientApp {
  id: number;
  client_id: string;
  client_secret: string;
  redirect_uri: string;
  owner: Person;
}

export const HTTPS_CALLBACK = "https://client.example/cb";

/** Inserts an app into the database, with any redirect URIs. */
export async function createClientApp({
  redirectUris = [HTTPS_CALLBACK],
  name,
  firstParty = false,
  isPublic = false,
}: {
  redirectUris?: string[];
  name?: string;
  firstParty?: boolean;
  isPublic?: boolean;
} = {}): Promise<ClientApp> {
  const owner = await createUser({ plan: "artist" });
  const permalink = `app-${randomBytes(6).toString("hex")}`;
  const client_id = randomBase62(32);
  const client_secret = newSecret("cs");
  const [made] = await sql<{ id: number }>(
    `insert into apps (client_id, secret_hash, owner_id, name, permalink, redirect_uris, first_party)
     values ($1, $2, $3, $4, $5, $6, $7) returning id::float8 as id`,
    [
      client_id,
      isPublic ? null : hashSecret(client_secret),
      owner.id,
      name ?? permalink,
      permalink,
      redirectUris,
      firstParty,
    ],
  );
  return { id: made?.id ?? 0, client_id, client_secret, redirect_uri: redirectUris[0] ?? "", owner };
}

/** RFC 7636 */
export const VERIFIER = "verifier-verifier-verifier-verifier-verifier";
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

type Query = Record<string, string | undefined> | [string, string][];

/** A valid request with the given changes. `undefined` omits a parameter. */
export function authorizePath(app: ClientApp, changes: Record<string, string | undefined> = {}): string {
  const whole: Query = {
    client_id: app.client_id,
    redirect_uri: app.redirect_uri,
    response_type: "code",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    state: "st",
    ...changes,
  };
  const given = Object.entries(whole).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/authorize?${new URLSearchParams(given)}`;
}

export interface PageReply {
  status: number;
  headers: Headers;
  text: string;
  location: string | null;
  /** Query of the URL in `Location`. */
  parameters: URLSearchParams;
}

/** Returns the error page's link to the app. Throws if the page redirects by itself. */
export function linkToApp(reply: PageReply): { address: string; parameters: URLSearchParams } {
  if (reply.location !== null || reply.headers.has("Refresh") || /http-equiv="?refresh/i.test(reply.text))
    throw new Error(`It leads on by itself: ${reply.location}`);
  const [, href = ""] = /<a href="([^"]*)" rel="nofollow noreferrer">/.exec(reply.text) ?? [];
  if (!href) throw new Error(`The page has no link to the app: ${reply.status} ${reply.text}`);
  const address = unescapeHtml(href);
  const [, query = ""] = /[?#](.*)$/.exec(address) ?? [];
  return { address, parameters: new URLSearchParams(query) };
}

/** Imitates a browser on our pages: a cookie, and forms as displayed. */
export class ConsentBrowser {
  readonly cookie: string | undefined;

  constructor(cookie?: string) {
    this.cookie = cookie;
  }

  get = (path: string, headers: Record<string, string> = {}) => this.#send(path, { headers });

  post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    this.#send(path, { method: "POST", body: new URLSearchParams(form), headers });

  send = (method: string, path: string) => this.#send(path, { method });

  /** The page's first form with its hidden fields. */
  async form(path: string, index = 0): Promise<ShownForm> {
    const page = await this.get(path);
    const form = formsIn(page.text, new URL(path, stack.urls.api).href)[index];
    if (!form) throw new Error(`${path} shows no form: ${page.status} ${page.location} ${page.text}`);
    return form;
  }

  submit = ({ action, fields }: ShownForm, more: Record<string, string> = {}, headers = {}) =>
    this.post(action, { ...fields, ...more }, headers);

  approve = async (path: string) => this.submit(await this.form(path), { decision: "approve" });

  async #send(path: string, init: RequestInit): Promise<PageReply> {
    const url = new URL(path, stack.urls.api);
    const headers = { ...(this.cookie && { Cookie: this.cookie }), ...(init.headers as object) };
    const reply = await fetch(url, { ...init, headers, redirect: "manual" });
    const location = reply.headers.get("Location");
    const [, query = ""] = /\?([^#]*)/.exec(location ?? "") ?? [];
    return {
      status: reply.status,
      headers: reply.headers,
      text: await reply.text(),
      location,
      parameters: new URLSearchParams(query),
    };
  }
}

interface ShownForm {
  action: string;
  fields: Record<string, string>;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const unescapeHtml = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name) => ENTITIES[name] ?? whole);

export function formsIn(html: string, base: string): ShownForm[] {
  const page = html.replace(/^.*<main\b/s, "");
  return [...page.matchAll(/<form[^>]*\baction="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = "", inner = ""]) => {
      const hidden = inner.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
      return {
        action: new URL(unescapeHtml(action), base).href,
        fields: Object.fromEntries(
          [...hidden].map(([, name = "", value = ""]) => [name, unescapeHtml(value)]),
        ),
      };
    },
  );
}

/** Over http the cookie's name includes the port. */
const cookieName = () => `sid-${new URL(stack.urls.api).port}`;

/** A browser with a signed-in session. */
export async function signedInBrowser(user: { id: number }): Promise<ConsentBrowser> {
  const cookie = newSecret("ss");
  await sql(
    "insert into site_sessions (hash, user_id, expires_at) values ($1, $2, now() + interval '1 day')",
    [hashSecret(cookie), user.id],
  );
  return new ConsentBrowser(`${cookieName()}=${cookie}`);
}

/** A new user with a signed-in browser. */
export const createVisitor = async (plan = "free") => {
  const user = await createUser({ plan });
  return { user, browser: await signedInBrowser(user) };
};

export const exchange = (app: ClientApp, code: string, more: Record<string, string> = {}) =>
  fetch(`${stack.urls.api}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: app.client_id,
      client_secret: app.client_secret,
      redirect_uri: app.redirect_uri,
      code_verifier: VERIFIER,
      code,
      ...more,
    }),
  });
