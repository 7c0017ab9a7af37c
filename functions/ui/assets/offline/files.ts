/** The static files of one deployment, and the page that is shown where nothing else was kept. */

const PREFIX = "files-";

/** `assets` is the deployment's folder. */
const nameOf = (assets: string) => `${PREFIX}${assets}`;

/** Addresses that a page, a style sheet or a script loads. */
const ADDRESSES = /(?:src|href)="([^"]+)"|url\(["']?([^"')]+)["']?\)|(?:from|import)\s*"(\.\/[^"]+)"/g;

/** Keeps the page and, through them, all files that it needs. */
export async function keepFiles(assets: string, page: string): Promise<void> {
  const cache = await caches.open(nameOf(assets));
  const wanted = new Set([new URL(page, location.origin).href]);
  // A set's iterator reaches what is added on the way.
  for (const address of wanted) {
    const reply = await fetch(address, { credentials: "omit", headers: { Accept: "text/html" } });
    if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
    await cache.put(address, reply.clone());
    if (!/html|css|javascript/.test(reply.headers.get("Content-Type") ?? "")) continue;
    for (const [, inPage, inStyle, inScript] of (await reply.text()).matchAll(ADDRESSES)) {
      const found = new URL(inPage ?? inStyle ?? inScript ?? "", address);
      if (isOf(assets, found)) wanted.add(found.href);
    }
  }
}

const isOf = (assets: string, { origin, pathname }: URL) =>
  origin === location.origin && pathname.startsWith(assets);

/** Forgets the files of other deployments. */
export async function keepOnly(assets: string): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== nameOf(assets)) await caches.delete(name);
}

export const storedFile = async (assets: string, address: string): Promise<Response | undefined> =>
  (await caches.open(nameOf(assets))).match(address, { ignoreVary: true });

/**
 * A file never changes at its address, so the kept one is as good as the service's. A page of another deployment gets
 * this one's file of that name, as the service would answer.
 */
export async function staticFile(assets: string, request: Request): Promise<Response> {
  const address = new URL(request.url);
  const isThis = isOf(assets, address);
  const stored = isThis ? await storedFile(assets, request.url) : undefined;
  if (stored) return stored;
  try {
    const reply = await fetch(request);
    if (isThis && reply.ok && reply.type !== "opaque")
      await (await caches.open(nameOf(assets))).put(request.url, reply.clone());
    return reply;
  } catch (error) {
    const name = address.pathname.split("/").at(-1) ?? "";
    const instead = await storedFile(assets, new URL(assets + name, location.origin).href);
    if (instead) return instead;
    throw error;
  }
}
