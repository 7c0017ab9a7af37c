import { createHash, randomBytes, randomInt } from "node:crypto";
import { type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import type pg from "pg";
import { expect } from "vitest";
import { hashSecret, randomBase62 } from "../../functions/lib/security/random.ts";
import { FRONT_HEADER } from "../../workers/front-secret.ts";
import { Contract } from "./contract.ts";
import { poolOf } from "./database.ts";
import { stack, type TestStack } from "./stack.ts";

export interface App {
  id: number;
  client_id: string;
  client_secret: string;
}

interface TokenReply {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Tests assert the status first, then the body of this type. */
export interface Answer<Body = TokenReply> {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: Body;
}

export interface Asked {
  method?: string;
  /** Strings and bytes are sent unchanged. */
  form?: Record<string, string> | string | Uint8Array;
  json?: unknown;
  headers?: Record<string, string>;
  /** Never ends the body, for replies that precede it. Headers or chunks declare its length. */
  endless?: boolean;
  /** Sends the body's last byte when this resolves. */
  lastByteAfter?: Promise<unknown>;
  /** The socket's address, any of 127.0.0.0/8. The front reports it as the client's. */
  address?: string;
  /** Any address. Connects straight to the Worker, like the platform's edge. */
  edgeAddress?: string;
}

interface CodeOptions {
  challenge?: string | null;
  redirectUri?: string;
  nonce?: string;
}

export const CALLBACK = "http://127.0.0.1/cb";

/** A random loopback address, so that no other test's failures count against its limits. */
export const randomAddress = () => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;

/** RFC 6749 §2.3.1: both halves form-encoded. */
export const basic = (id: string, secret: string) => {
  const encoded = [id, secret].map((half) => new URLSearchParams({ half }).toString().slice("half=".length));
  return { Authorization: `Basic ${Buffer.from(encoded.join(":")).toString("base64")}` };
};

export const basicOf = (app: App) => basic(app.client_id, app.client_secret);

export const inBody = ({ client_id, client_secret }: App) => ({ client_id, client_secret });

/** RFC 7636 §4 */
function createVerifier() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };

/** A stack's authorization server, with fixtures inserted straight into its database. */
export class AuthServer {
  readonly #where: Pick<TestStack, "urls" | "ports" | "secrets">;
  readonly #pool: pg.Pool;
  #contract: Promise<Contract> | undefined;

  constructor(where: Pick<TestStack, "urls" | "ports" | "secrets" | "databaseUrl">) {
    this.#where = where;
    this.#pool = poolOf(where.databaseUrl);
  }

  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#pool.query<Row>(text, values)).rows;
  }

  /** A separate connection that may stay open. */
  connect = () => this.#pool.connect();

  async createUser(): Promise<number> {
    const name = `m${randomBytes(6).toString("hex")}`;
    const [made] = await this.sql<{ id: number }>(
      `with made as (insert into users (username, permalink, plan) values ($1, $1, 'artist') returning id), account as (
         insert into accounts (user_id, email, password_hash, confirmed_at) select id, $2, '', now() from made)
       select id::float8 as id from made`,
      [name, `${name}@example.com`],
    );
    return made?.id ?? 0;
  }

  async createApp(
    client_id = randomBase62(32),
    client_secret = `cs_${randomBytes(32).toString("base64url")}`,
  ) {
    const permalink = `app-${randomBytes(8).toString("hex")}`;
    const [made] = await this.sql<{ id: number }>(
      `insert into apps (client_id, secret_hash, owner_id, name, permalink, redirect_uris)
       values ($1, $2, $3, $4, $4, $5) returning id::float8 as id`,
      [client_id, hashSecret(client_secret), await this.createUser(), permalink, [CALLBACK, `${CALLBACK}2`]],
    );
    return { id: made?.id ?? 0, client_id, client_secret };
  }

  async createPublicApp(): Promise<App> {
    const app = await this.createApp();
    await this.sql("update apps set secret_hash = null where id = $1", [app.id]);
    return { ...app, client_secret: "" };
  }

  /** Imitates the consent page: a signed-in browser and a code that lasts a minute. */
  async createCode(app: App, userId: number, options: CodeOptions = {}): Promise<string> {
    const code = `ac_${randomBytes(32).toString("base64url")}`;
    const { challenge = null, redirectUri = CALLBACK, nonce = randomBytes(16).toString("hex") } = options;
    const browser = hashSecret(`ss_${randomBytes(32).toString("base64url")}`);
    await this.sql(
      `with browser as (insert into site_sessions (hash, user_id, expires_at) values ($1, $2, now() + interval '1 day'))
       insert into authorization_codes (hash, app_id, user_id, site_session_hash, nonce, redirect_uri, code_challenge, expires_at)
       values ($3, $4, $2, $1, $5, $6, $7, now() + interval '1 minute')`,
      [browser, userId, hashSecret(code), app.id, nonce, redirectUri, challenge],
    );
    return code;
  }

  /** A code with everything that its redemption needs. */
  async createGrant(app?: App, userId?: number) {
    const client = app ?? (await this.createApp());
    const user = userId ?? (await this.createUser());
    const { verifier, challenge } = createVerifier();
    const code = await this.createCode(client, user, { challenge });
    const form = {
      grant_type: "authorization_code",
      ...inBody(client),
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    };
    return { app: client, userId: user, code, verifier, form };
  }

  /** Tokens of a user, obtained with a code. */
  async signedIn(app?: App, userId?: number) {
    const grant = await this.createGrant(app, userId);
    const { status, body, text } = await this.token(grant.form);
    if (status !== 200) throw new Error(text);
    return { ...grant, tokens: body };
  }

  token = (form: Asked["form"], more: Asked = {}) => this.send("/oauth/token", { form, ...more });

  refresh = (app: App, refresh_token: string, more: Record<string, string> = {}, asked: Asked = {}) =>
    this.token({ grant_type: "refresh_token", ...inBody(app), refresh_token, ...more }, asked);

  ownToken = (app: App, asked: Asked = {}) =>
    this.token("grant_type=client_credentials", { ...asked, headers: { ...basicOf(app), ...asked.headers } });

  signOut = (access_token: unknown, asked: Asked = {}) =>
    this.send<{ error?: string }>("/sign-out", { json: { access_token }, ...asked });

  introspect = (app: App, token: string) =>
    this.send<Record<string, unknown>>("/oauth/introspect", { form: { ...inBody(app), token } });

  revoke = (app: App, token: string, more: Record<string, string> = {}) =>
    this.send<object>("/oauth/revoke", { form: { ...inBody(app), token, ...more } });

  /** Status of `/me` with this token. */
  me = async (token: string) =>
    (await this.send("/me", { method: "GET", headers: { Authorization: `OAuth ${token}` } })).status;

  /**
   * Checks each reply against the service's document, and those of OAuth endpoints for their common headers.
   */
  async send<Body = TokenReply>(path: string, asked: Asked = {}): Promise<Answer<Body>> {
    const answer = await this.#exchange(path, asked);
    const contentType = String(answer.headers["content-type"] ?? "");
    const body =
      contentType.startsWith("application/json") && answer.text ? JSON.parse(answer.text) : answer.text;
    const { pathname } = new URL(path, this.#where.urls.api);
    const { method = "POST", json } = asked;
    const { status } = answer;
    // The document omits preflights and older endpoints.
    if (method === "OPTIONS" || pathname === "/oauth2/token") return { ...answer, body };
    (await this.#document()).check({
      method,
      path: pathname,
      sent: json,
      status,
      contentType,
      body,
      older: false,
    });
    if (method === "POST") expectEndpointHeaders(pathname, answer.headers);
    return { ...answer, body };
  }

  #document = () =>
    (this.#contract ??= fetch(`${this.#where.urls.api}/openapi.json`).then(
      async (reply) => new Contract(await reply.json()),
    ));

  async #exchange(path: string, asked: Asked) {
    const { method = "POST", form, json, headers, endless, lastByteAfter, address, edgeAddress } = asked;
    const { ports, secrets, urls } = this.#where;
    const plain = form === undefined || typeof form === "string" || form instanceof Uint8Array;
    const body = json !== undefined ? JSON.stringify(json) : plain ? form : `${new URLSearchParams(form)}`;
    const opened = request({
      host: "127.0.0.1",
      port: edgeAddress === undefined ? ports.front : ports.worker,
      path,
      method,
      agent: false,
      ...(address !== undefined && { localAddress: address }),
      headers: {
        Host: new URL(urls.api).host,
        ...(json !== undefined && { "Content-Type": "application/json" }),
        ...(form !== undefined && FORM_TYPE),
        ...(edgeAddress !== undefined && {
          [FRONT_HEADER]: secrets.TRANSCODER_SECRET,
          "CF-Connecting-IP": edgeAddress,
        }),
        ...(body !== undefined && !endless && { "Content-Length": String(Buffer.byteLength(body)) }),
        ...headers,
      },
    });
    return new Promise<Omit<Answer, "body">>((resolve, reject) => {
      opened.on("error", reject).on("response", async (incoming) => {
        const text = (await buffer(incoming)).toString("utf8");
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
        if (endless) opened.destroy();
      });
      if (lastByteAfter && typeof body === "string") {
        opened.write(body.slice(0, -1));
        return void lastByteAfter.then(() => opened.end(body.slice(-1)));
      }
      if (!endless) return opened.end(body);
      opened.flushHeaders();
      if (body !== undefined) opened.write(body);
    });
  }
}

/** Pages of any origin may call endpoints that take no cookie, except introspection. */
const CLOSED_TO_PAGES = ["/oauth/introspect"];

function expectEndpointHeaders(path: string, headers: IncomingHttpHeaders): void {
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(headers["cache-control"]).toBe("no-store");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["set-cookie"]).toBeUndefined();
  const allowed = CLOSED_TO_PAGES.includes(path) ? undefined : "*";
  expect([path, headers["access-control-allow-origin"]]).toEqual([path, allowed]);
  expect(headers["access-control-allow-credentials"]).toBeUndefined();
}

/** The error object with RFC 6749's two members and their limited characters: §5.2. */
export function expectError({ status, body, text }: Answer<unknown>, expected: number, error: string): void {
  expect([status, (body as { error?: string }).error], text).toEqual([expected, error]);
  expect(body).toMatchObject({ code: expected, message: expect.stringContaining(`${expected} - `) });
  const described = body as { error_description: string };
  expect(described.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
}

/** The authorization server of the shared stack. */
export const auth = new AuthServer(stack);

export const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

export const times = <Result>(count: number, make: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Holds the requests until all have arrived, so that they really race. */
export async function atOnce<Result>(
  count: number,
  make: (asked: Asked) => Promise<Result>,
): Promise<Result[]> {
  const lastByteAfter = new Promise((wake) => setTimeout(wake, 40));
  return times(count, () => make({ lastByteAfter }));
}
