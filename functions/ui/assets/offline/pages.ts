/**
 * Pages that were opened. They belong to one reader or to visitors, and go as soon as a page comes for somebody else. The
 * service says for whom a page is, and whether it may be kept.
 */

const PREFIX = "pages-";
/** Pages of one reader. */
const MOST_KEPT = 50;
const READER = "Offline-Reader";
const MAY_KEEP = "Offline-Keep";
/** When a kept page came. */
const CAME_AT = "Offline-Came-At";

/** Rises when the reader changes, so that a page that was asked for before is not kept for the next one. */
let turn = 0;

export const turnNow = (): number => turn;

const pageCaches = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX));

/** Forgets what was kept for everybody but `reader`. */
async function forgetOthers(reader?: string): Promise<void> {
  const others = (await pageCaches()).filter((name) => name !== PREFIX + reader);
  if (others.length > 0) turn++;
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** The reader signs out. */
export async function forgetPages(): Promise<void> {
  turn++;
  await forgetOthers();
}

/** Pages of the site say for whom they are. */
export const isOfSite = ({ headers }: Response): boolean => headers.has(READER);

/** Replies that say that nothing is there to be seen. */
const isGone = ({ status }: Response) => status >= 400 && status < 500 && status !== 429;

/** Keeps a reply of the service if it may be kept, and forgets what it makes stale. `begun` is the turn of its request. */
export async function learn(address: string, reply: Response, begun: number): Promise<void> {
  const reader = reply.headers.get(READER);
  if (begun !== turn) return;
  if (reader !== null) await forgetOthers(reader);
  const at = withoutFragment(reply.redirected ? reply.url : address);
  if (isGone(reply)) for (const name of await pageCaches()) await (await caches.open(name)).delete(at);
  if (reader === null || !reply.ok || !reply.headers.has(MAY_KEEP)) return;
  // A reply that breaks off leaves the kept page in place. One that ends after a sign-out is dropped.
  const from = turn;
  const text = await reply.text();
  if (from !== turn) return;
  const cache = await caches.open(PREFIX + reader);
  const headers = new Headers(reply.headers);
  headers.set(CAME_AT, new Date().toISOString());
  await cache.delete(at);
  await cache.put(at, new Response(text, { headers }));
  const stored = await cache.keys();
  await Promise.all(
    stored.slice(0, Math.max(stored.length - MOST_KEPT, 0)).map((request) => cache.delete(request)),
  );
}

const withoutFragment = (address: string): string => {
  const url = new URL(address);
  url.hash = "";
  url.searchParams.delete("notice");
  return url.href;
};

/** The page as it was kept, with a line that says so. */
export async function storedPage(address: string): Promise<Response | undefined> {
  for (const name of await pageCaches()) {
    const stored = await (await caches.open(name)).match(withoutFragment(address), { ignoreVary: true });
    if (stored) return withLine(stored, `You are offline. This page is from ${timeOf(stored)}.`);
  }
  return undefined;
}

const timeOf = (stored: Response): string => {
  const at = stored.headers.get(CAME_AT) ?? "";
  const shown = new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return `<time datetime="${at}">${shown}</time>`;
};

/** `html` is one of our own texts. */
async function withLine(page: Response, html: string): Promise<Response> {
  const line = `<p class="offline-line" role="status">${html}</p>`;
  const text = (await page.text()).replace("<main", (main) => line + main);
  return new Response(text, { headers: page.headers });
}

/** The page for an address that was not kept, with links to those that were. */
export async function withStored(page: Response): Promise<Response> {
  const links: string[] = [];
  for (const name of await pageCaches()) {
    const cache = await caches.open(name);
    for (const request of (await cache.keys()).toReversed()) {
      // It is escaped already, as the service wrote it.
      const [, title = ""] =
        /<title>([^<]*)<\/title>/.exec((await (await cache.match(request))?.text()) ?? "") ?? [];
      const path = request.url
        .slice(location.origin.length)
        .replace(/[&"<>]/g, (one) => `&#${one.charCodeAt(0)};`);
      links.push(`<li><a href="${path}" dir="auto">${title}</a></li>`);
    }
  }
  const list =
    links.length > 0
      ? `<h2>Pages that open without a network</h2><ul class="offline-pages">${links.join("")}</ul>`
      : "";
  const text = (await page.text()).replace("</section>", (end) => list + end);
  return new Response(text, { headers: page.headers });
}
