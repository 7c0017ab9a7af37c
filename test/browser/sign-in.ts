import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { PASSWORD } from "../support/browser.ts";
import type { Person } from "../support/people.ts";
import { tabTo } from "./browser.ts";

export const emailOf = ({ username }: Pick<Person, "username">) => `${username}@example.com`;

export async function signInByForm(page: Page, person: Person): Promise<void> {
  await page.getByLabel("E-mail address").fill(emailOf(person));
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

export async function signInByKeyboard(page: Page, person: Person): Promise<void> {
  await tabTo(page, "#sign-in-email");
  await page.keyboard.type(emailOf(person));
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
}

/** Storage state of a signed-in browser, for further visits. */
export const storageStateOf = (page: Page) => page.context().storageState();

/** Another site on this machine: an app, or an impostor. */
export function startForeignSite() {
  const arrived: string[] = [];
  const pages = new Map<string, string>();
  let app: string | undefined;
  const server = createServer((incoming, reply) => {
    const url = incoming.url ?? "/";
    if (!url.startsWith("/favicon")) arrived.push(url);
    reply.setHeader("Content-Type", "text/html; charset=utf-8");
    reply.end(pages.get(url) ?? app ?? "<!doctype html><title>The app</title><h1>Back at the app</h1>");
  });
  beforeAll(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  return {
    /** Requested paths in order. */
    arrived,
    address: (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    /** Serves one page at every other path, as hosts of single-page apps do. */
    putApp: (html: string) => {
      app = `<!doctype html><title>The app</title>${html}`;
    },
    put: (path: string, html: string) => pages.set(path, `<!doctype html><title>Elsewhere</title>${html}`),
  };
}

/** URLs that the browser tries to load, whether or not a server answers. */
export async function watchNavigation(page: Page): Promise<string[]> {
  const asked: string[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.requestWillBeSent", ({ type, request }) => {
    if (type === "Document") asked.push(request.url);
  });
  return asked;
}
