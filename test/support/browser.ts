import { randomBytes, randomInt } from "node:crypto";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { deliver, sql, stack } from "./stack.ts";

export interface PageReply {
  status: number;
  headers: Record<string, string>;
  setCookies: string[];
  html: string;
}

type Fields = Record<string, string>;

/**
 * Sends forms and keeps cookies like a browser without scripts. Each has its own address, which limits count
 * by. `port` leads to another Worker of the same site.
 */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly address: string;
  readonly #site: string;
  readonly #port: string;

  constructor(
    address = `127.${randomInt(1, 250)}.${randomInt(250)}.${randomInt(2, 250)}`,
    site = stack.urls.api,
    port = new URL(site).port,
  ) {
    this.address = address;
    this.#site = site;
    this.#port = port;
  }

  /** Another browser at the same address. */
  neighbour = (): Browser => new Browser(this.address, this.#site, this.#port);

  get = (path: string, headers: Fields = {}): Promise<PageReply> => this.#send("GET", path, headers);

  post = (path: string, fields: Fields, headers: Fields = {}): Promise<PageReply> =>
    this.#send(
      "POST",
      path,
      { "Content-Type": "application/x-www-form-urlencoded", ...headers },
      new URLSearchParams(fields),
    );

  /** Opens the site's own session, once signed in at the accounts' pages. */
  async enterSite(): Promise<void> {
    for (let path = "/session/new?next=/docs"; path !== "/docs"; ) {
      const { headers } = await this.get(path);
      if (!headers.location) throw new Error(`${path} does not lead on`);
      const { pathname, search } = new URL(headers.location, stack.urls.api);
      path = pathname + search;
    }
  }

  /** Opens `page`, fills in its form with this `action` and sends it. */
  async submit(page: string, action: string, fields: Fields = {}, headers: Fields = {}): Promise<PageReply> {
    const { html } = await this.get(page);
    return this.post(action, { ...hiddenFields(html, action), ...fields }, headers);
  }

  /** Like `submit`, for a form with a file. `undefined` imitates a browser without a chosen file. */
  async upload(page: string, action: string, name: string, file: Uint8Array | undefined): Promise<PageReply> {
    const form = new FormData();
    const hidden = hiddenFields((await this.get(page)).html, action);
    for (const [field, value] of Object.entries(hidden)) form.set(field, value);
    form.set(name, new Blob([new Uint8Array(file ?? [])]), file ? "picture.jpg" : "");
    const sent = new Response(form);
    const headers = { "Content-Type": sent.headers.get("Content-Type") ?? "" };
    return this.#send("POST", action, headers, Buffer.from(await sent.arrayBuffer()));
  }

  async #send(method: string, path: string, headers: Fields, body?: URLSearchParams | Buffer) {
    const url = new URL(path, this.#site);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = Buffer.isBuffer(body) ? body : Buffer.from(body?.toString() ?? "");
    const asked = request({
      host: "127.0.0.1",
      port: this.#port,
      path: url.pathname + url.search,
      method,
      localAddress: this.address,
      headers: {
        Host: url.host,
        Accept: "text/html",
        ...(cookie && { Cookie: cookie }),
        ...(body && { "Content-Length": String(sent.length) }),
        ...headers,
      },
    });
    const answered = new Promise<import("node:http").IncomingMessage>((resolve, reject) =>
      asked.once("response", resolve).once("error", reject),
    );
    asked.end(sent);
    const reply = await answered;
    const setCookies = reply.headers["set-cookie"] ?? [];
    for (const each of setCookies) this.#keep(each);
    return {
      status: reply.statusCode ?? 0,
      headers: reply.headers as Fields,
      setCookies,
      html: await text(reply),
    };
  }

  #keep(setCookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    if (/max-age=0\b/i.test(setCookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** Hidden fields of the page's form with this `action`. */
export function hiddenFields(html: string, action: string): Fields {
  const form = html.split("<form ").find((part) => part.includes(`action="${action}"`));
  if (!form) throw new Error(`The page has no form that leads to ${action}: ${html.slice(0, 300)}`);
  const inputs = form
    .slice(0, form.indexOf("</form>"))
    .matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(inputs, ([, name = "", value = ""]) => [name, unescaped(value)]));
}

const unescaped = (value: string) =>
  value.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

export interface CaughtMail {
  to: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/** Milliseconds. Mails leave after the reply, so they may take a moment. */
const MAIL_PATIENCE_MS = 30_000;

export async function mailTo(address: string, subject: string): Promise<CaughtMail> {
  for (const deadline = Date.now() + MAIL_PATIENCE_MS; Date.now() < deadline; ) {
    const mails = await mailsTo(address);
    const found = mails.find((mail) => mail.subject.includes(subject));
    if (found) return found;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  throw new Error(`No mail "${subject}" came`);
}

/** Newest first. */
export const mailsTo = async (address: string): Promise<CaughtMail[]> =>
  (await (
    await fetch(`${stack.urls.api}/dev/mail.json?to=${encodeURIComponent(address)}`)
  ).json()) as CaughtMail[];

/** Sends what waits for an address. The cron leaves new mails, which commands and sweeps queue, to others for five seconds. */
export async function sendMailsTo(address: string): Promise<void> {
  const waiting = await sql<{ mail: number }>("select id::float8 as mail from mails where recipient = $1", [
    address,
  ]);
  await deliver(
    "mails",
    waiting.map((body) => ({ body })),
  );
}

/** The path of the link in a mail. */
export function linkIn(mail: CaughtMail): string {
  const { pathname, search } = new URL(/http\S+/.exec(mail.text)?.[0] ?? "");
  return pathname + search;
}

export const PASSWORD = "correct horse battery";

export interface Member {
  browser: Browser;
  id: number;
  username: string;
  email: string;
}

export const uniqueName = (): string => `m${randomBytes(6).toString("hex")}`;

/** Signs up and signs in. */
export async function createMember(): Promise<Member> {
  const browser = new Browser();
  const username = uniqueName();
  const email = `${username}@example.com`;
  const reply = await browser.submit("/signup", "/signup", { username, email, password: PASSWORD });
  if (reply.status !== 303) throw new Error(`sign-up answered ${reply.status}: ${reply.html}`);
  const [made] = await sql<{ id: number }>("select id::float8 as id from users where permalink = $1", [
    username,
  ]);
  return { browser, id: made?.id ?? 0, username, email };
}

/** Signs up, signs in and confirms the address by the mail's link. */
export async function createConfirmedMember(): Promise<Member> {
  const member = await createMember();
  const confirmed = await member.browser.submit(linkIn(await mailTo(member.email, "Confirm")), "/confirm");
  if (confirmed.status !== 200) throw new Error(`confirming answered ${confirmed.status}`);
  return member;
}

/** Requests another address. Returns the links that confirm and cancel the change. */
export async function requestEmailChange({ browser, email }: Member) {
  const changed = `${uniqueName()}@example.com`;
  const fields = { email: changed, current_password: PASSWORD };
  const asked = await browser.submit("/settings", "/settings/email", fields);
  if (asked.status !== 303) throw new Error(`the change answered ${asked.status}`);
  const confirm = linkIn(await mailTo(changed, "Confirm"));
  return { changed, confirm, cancel: linkIn(await mailTo(email, "Another e-mail address")) };
}

export const signIn = (browser: Browser, email: string, password = PASSWORD, next?: string) =>
  browser.submit("/signin", "/signin", { email, password, ...(next !== undefined && { next }) });

/** 200 if the browser is signed in, otherwise 303. */
export const settingsStatus = async (browser: Browser): Promise<number> =>
  (await browser.get("/settings")).status;
