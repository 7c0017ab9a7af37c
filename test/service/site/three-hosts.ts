import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { startSecondWorker } from "../../support/second-worker.ts";
import { siteCookieOf } from "../../support/site-session.ts";
import { sql } from "../../support/stack.ts";

export type Host = "web" | "auth" | "api";

interface Answer {
  status: number;
  location: URL | undefined;
  html: string;
  /** SQL statements that it took. */
  queries: number;
}

/** A Worker whose site, accounts and API have hosts of their own, as in production. */
export async function startThreeHosts() {
  const worker = await startSecondWorker((port) => ({
    WEB_URL: `http://web.localhost:${port}`,
    AUTH_URL: `http://auth.localhost:${port}`,
    API_URL: `http://api.localhost:${port}`,
  }));
  const open = () => new Browser(worker.port);
  /** A browser that is signed in at the site. */
  async function enter({ id }: { id: number }): Promise<Browser> {
    const browser = open();
    await browser.signInAt(id);
    await browser.follow("web", "/session/new?next=/healthz");
    return browser;
  }
  return { ...worker, open, enter };
}

/** Keeps each host's cookies apart, as browsers do. */
export class Browser {
  readonly #port: number;
  readonly jars: Record<Host, Map<string, string>> = { web: new Map(), auth: new Map(), api: new Map() };

  constructor(port: number) {
    this.#port = port;
  }

  get = (host: Host, path: string): Promise<Answer> => this.#send(host, path);

  post = (host: Host, path: string, form: Record<string, string>): Promise<Answer> =>
    this.#send(host, path, `${new URLSearchParams(form)}`);

  /** Signs in at the accounts' host, without a password. */
  async signInAt(userId: number): Promise<void> {
    const cookie = await siteCookieOf(userId, sql, `http://auth.localhost:${this.#port}`);
    this.#keep("auth", cookie);
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

  async #send(host: Host, path: string, body?: string): Promise<Answer> {
    const authority = `${host}.localhost:${this.#port}`;
    const sending = request({
      ...{ host: "127.0.0.1", port: this.#port, path, method: body === undefined ? "GET" : "POST" },
      headers: {
        Host: authority,
        Accept: host === "api" ? "application/json" : "text/html",
        Cookie: Array.from(this.jars[host], (pair) => pair.join("=")).join("; "),
        ...(body !== undefined && { "Content-Type": "application/x-www-form-urlencoded" }),
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
