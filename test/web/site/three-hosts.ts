import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { siteCookieOf } from "../../support/site-session.ts";
import { sharedThreeHosts, sql, stack } from "../../support/stack.ts";
import { startWorkerBeside, THREE_HOSTS } from "../../support/worker-beside.ts";

type Host = "web" | "auth" | "api";

interface Answer {
  status: number;
  location: URL | undefined;
  html: string;
  headers: IncomingMessage["headers"];
  /** SQL statements that it took. */
  queries: number;
}

/** The project's one Worker whose site, accounts and API have hosts of their own, as in production. It stays. */
export const threeHosts = async () => hostsAt(await sharedThreeHosts());

/** Starts such a Worker with settings of its own, or for the sake of empty caches. */
export async function startThreeHosts(settings: Record<string, string> = {}) {
  const worker = await startWorkerBeside(stack, (port) => ({ ...THREE_HOSTS(port), ...settings }));
  return { ...hostsAt(worker), stop: worker.stop };
}

function hostsAt({ port }: { port: number }) {
  const open = () => new ThreeHostsBrowser(port);
  /** A browser that is signed in at the site. */
  async function enter({ id }: { id: number }): Promise<ThreeHostsBrowser> {
    const browser = open();
    await browser.signInAt(id);
    await browser.follow("web", "/session/new?next=/healthz");
    return browser;
  }
  const ask = (host: string, path: string, asked?: Asked) => fetchAt(port, host, path, asked);
  return { port, ask, open, enter };
}

type Asked = { method?: string; headers?: Record<string, string>; body?: string };

/** Like `fetch`, which sends no other Host than that of the address, and follows no redirects. */
export async function fetchAt(
  port: number,
  host: string,
  path: string,
  { method = "GET", headers, body: sent }: Asked = {},
) {
  const authority = /[.:]/.test(host) ? host : `${host}.localhost:${port}`;
  const sending = request({
    host: "127.0.0.1",
    port,
    path,
    method,
    headers: { Host: authority, ...headers },
  });
  const [reply] = (await once(sending.end(sent), "response")) as [IncomingMessage];
  const said = Object.entries(reply.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  const body = await text(reply);
  const { statusCode: status = 0 } = reply;
  return new Response(status === 304 || status === 204 ? null : body, { status, headers: said });
}

/** Keeps each host's cookies apart, as browsers do. */
export class ThreeHostsBrowser {
  readonly #port: number;
  readonly jars: Record<Host, Map<string, string>> = { web: new Map(), auth: new Map(), api: new Map() };

  constructor(port: number) {
    this.#port = port;
  }

  get = (host: Host, path: string): Promise<Answer> => this.#send(host, path);

  post = (host: Host, path: string, form: Record<string, string>): Promise<Answer> =>
    this.#send(host, path, `${new URLSearchParams(form)}`);

  /** Sends a form that may hold files. */
  async postParts(host: Host, path: string, form: Record<string, string | File>): Promise<Answer> {
    const parts = new FormData();
    for (const [name, value] of Object.entries(form)) parts.set(name, value);
    const encoded = new Response(parts);
    const body = Buffer.from(await encoded.arrayBuffer());
    return this.#send(host, path, body, encoded.headers.get("Content-Type") ?? "");
  }

  /** Signs in at the accounts' host, without a password. */
  async signInAt(userId: number): Promise<void> {
    const cookie = await siteCookieOf(userId, sql, `http://auth.localhost:${this.#port}`);
    this.#keep("auth", cookie);
  }

  /** Opens `page` and sends its form with this action. */
  async submit(page: string, action: string, fields: Record<string, string> = {}): Promise<Answer> {
    const { html } = await this.get("web", page);
    return this.post("web", action, { ...fieldsIn(html, action), ...fields });
  }

  /** Follows redirects from host to host. */
  async follow(host: Host, path: string): Promise<Answer & { host: Host; path: string }> {
    for (let [at, to] = [host, path]; ; ) {
      const answer = await this.get(at, to);
      if (!answer.location) return { ...answer, host: at, path: to };
      at = answer.location.hostname.split(".")[0] as Host;
      to = answer.location.pathname + answer.location.search;
    }
  }

  /** Signs in at the site. */
  async enterSite(userId: number): Promise<this> {
    await this.signInAt(userId);
    await this.follow("web", "/session/new");
    return this;
  }

  async #send(
    host: Host,
    path: string,
    body?: string | Buffer,
    type = "application/x-www-form-urlencoded",
  ): Promise<Answer> {
    const authority = `${host}.localhost:${this.#port}`;
    const sending = request({
      host: "127.0.0.1",
      port: this.#port,
      path,
      method: body === undefined ? "GET" : "POST",
      headers: {
        Host: authority,
        Accept: host === "api" ? "application/json" : "text/html",
        Cookie: Array.from(this.jars[host], (pair) => pair.join("=")).join("; "),
        ...(body !== undefined && { "Content-Type": type }),
      },
    });
    sending.end(body);
    const [reply] = (await once(sending, "response")) as [IncomingMessage];
    for (const cookie of reply.headers["set-cookie"] ?? []) this.#keep(host, cookie);
    const { location } = reply.headers;
    return {
      status: reply.statusCode ?? 0,
      location: location === undefined ? undefined : new URL(location, `http://${authority}`),
      html: await text(reply),
      headers: reply.headers,
      queries: Number(/queries: (\d+)/.exec(String(reply.headers["server-timing"]))?.[1] ?? 0),
    };
  }

  #keep(host: Host, cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0/i.test(cookie) || value === "") this.jars[host].delete(name);
    else this.jars[host].set(name, value);
  }
}

/** The form token of the page's form with this action. */
export const tokenIn = (html: string, action: string): string =>
  new RegExp(`action="${action}"[^]*?name="form_token" value="([^"]+)"`).exec(html)?.[1] ?? "";

const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};
const unescaped = (html: string) =>
  html.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? "");

const CONTROLS = /<(textarea|select)([^>]*)>([\s\S]*?)<\/(?:textarea|select)>|<input([^>]*)>/g;

/** Returns what a browser sends of the form with this action, without files. */
export function fieldsIn(html: string, action: string): Record<string, string> {
  const [, form = ""] =
    new RegExp(`<form[^>]*action="${action.replaceAll("?", "\\?")}"[^>]*>([^]*?)</form>`).exec(html) ?? [];
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  const fields: [string, string][] = [];
  for (const [, kind, tag = "", content = "", line = ""] of form.matchAll(CONTROLS)) {
    const type = attribute(line, "type");
    if (type === "file" || (type === "checkbox" && !/ checked/.test(line))) continue;
    const chosen =
      /<option[^>]*selected[^>]*>/.exec(content)?.[0] ?? /<option[^>]*>/.exec(content)?.[0] ?? "";
    const value = kind === "select" ? attribute(chosen, "value") : content.replace(/^\n/, "");
    fields.push([attribute(tag || line, "name"), unescaped(kind ? value : attribute(line, "value"))]);
  }
  return Object.fromEntries(fields);
}

/** Text of the page's element with this attribute, without tags. */
export const textAt = (html: string, from: string, to: string): string =>
  (html.split(from)[1]?.split(to)[0] ?? "").replace(/<[^>]*>/g, " ");
