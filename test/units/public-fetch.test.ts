import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchPublic } from "../../functions/api/imports/public-fetch.ts";

/** Every name has this address. */
let address = "93.184.215.14";
const dns = createServer((_, response) =>
  response.end(JSON.stringify({ Answer: [{ type: 1, data: address }] })),
);
let DNS_URL = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => dns.listen(0, "127.0.0.1", resolve));
  DNS_URL = `http://127.0.0.1:${(dns.address() as AddressInfo).port}/`;
});
afterAll(() => dns.close().closeAllConnections());

/** The public web: replies by address, and the addresses that were asked for. */
function web(replies: Record<string, () => Response>) {
  const asked: string[] = [];
  const PUBLIC_NETWORK = {
    fetch: async (url: string) => {
      asked.push(url);
      return replies[url]?.() ?? new Response(null, { status: 404 });
    },
  };
  const env = { WEBHOOK_TARGETS: "public", DNS_URL, WEB_URL: "https://soundpost.example", PUBLIC_NETWORK };
  const get = (url: string) =>
    fetchPublic(env as unknown as Parameters<typeof fetchPublic>[0], url, {
      signal: AbortSignal.timeout(60_000),
    });
  return { asked, get };
}

const redirect = (to: string) => () => new Response(null, { status: 302, headers: { Location: to } });

test("redirects are followed on the public web, over either protocol", async () => {
  const { get, asked } = web({
    "http://a.example/feed": redirect("https://b.example/feed#top"),
    "https://b.example/feed": redirect("/rss"),
    "https://b.example/rss": () => new Response("here"),
  });
  expect(await (await get("http://a.example/feed")).text()).toBe("here");
  expect(asked).toEqual(["http://a.example/feed", "https://b.example/feed", "https://b.example/rss"]);
});

test.each([
  "http://127.0.0.1/",
  "http://[::1]:5432/",
  "http://169.254.169.254/latest/meta-data",
  "http://0x7f000001/",
  "https://user:password@b.example/",
  "https://router.local/",
  "file:///etc/passwd",
])("a redirect to %s is asked for nothing", async (to) => {
  const { get, asked } = web({ "https://a.example/": redirect(to) });
  await expect(get("https://a.example/")).rejects.toMatchObject({ reason: "private_target" });
  expect(asked).toEqual(["https://a.example/"]);
});

test("a name that leads to a private address by the time of the redirect is asked for nothing", async () => {
  const { get, asked } = web({
    "https://a.example/": () => {
      address = "10.0.0.7";
      return redirect("https://a.example/again")();
    },
  });
  await expect(get("https://a.example/")).rejects.toMatchObject({ reason: "private_target" });
  expect(asked).toEqual(["https://a.example/"]);
  address = "93.184.215.14";
});
