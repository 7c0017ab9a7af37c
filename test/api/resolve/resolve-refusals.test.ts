import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { page, resolveHref } from "./resolve.support.ts";

let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = [await createUser(), await createUser()];
});

test("400: a missing, empty, repeated or malformed URL", async () => {
  const url = encodeURIComponent(page(`/${ana.username}`));
  const { pathname } = new URL(page(`/${ana.username}/song`));
  for (const query of [
    "",
    "?url=",
    "?url=%20",
    `?url=${url}&url=${url}`,
    `?url[]=${url}`,
    `?url=${pathname}`,
  ]) {
    const { status, body } = await api.as(ben).get<ErrorReply>(`/resolve${query}`);
    expect([query, status, body.errors[0]?.error_message]).toEqual([
      query,
      400,
      expect.stringContaining("url"),
    ]);
  }
});

describe("no URL is ever requested (X53)", () => {
  const asked: string[] = [];

  /** Runs a server at the given addresses. */
  async function listening<Result>(use: (port: number) => Promise<Result>): Promise<Result> {
    const server = createServer((request, reply) => {
      asked.push(request.url ?? "");
      reply.end();
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    try {
      return await use((server.address() as AddressInfo).port);
    } finally {
      server.close();
    }
  }

  test("400 or 404: each URL", async () => {
    await listening(async (port) => {
      const own = new URL(stack.urls.api).host;
      const at = `127.0.0.1:${port}`;
      for (const url of [
        `http://${at}/${ana.username}/song`,
        `http://${own}@${at}/${ana.username}`,
        `http://${at}@${own}/${ana.username}`,
        `http://${at}\\@${own}/${ana.username}`,
        `http://${own}\\@${at}/${ana.username}`,
        `http://${at}#${stack.urls.api}/${ana.username}`,
        `http://${at}?${stack.urls.api}/${ana.username}`,
        `//${at}/${ana.username}`,
        `//${own}/${ana.username}`,
        `ftp://${at}/`,
        `http:${at}`,
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/passwd",
        "http://xn--e1awd7f.example/ana",
        "http://ｌocalhost/ana",
        `${stack.urls.api}/${"a".repeat(20_000)}`,
        `${stack.urls.api}/nobody?${"a".repeat(20_000)}`,
      ]) {
        const reply = await api.as(ben).get(resolveHref(url));
        expect([url.slice(0, 80), reply.status]).toEqual([url.slice(0, 80), expect.toSatisfy(isRefusal)]);
      }
    });
    expect(asked).toEqual([]);
  });
});

const isRefusal = (status: number) => status === 400 || status === 404;

test("random input is 400 or 404 without a fault (X24, X28, X30, X31)", async () => {
  const rubbish = [
    "'",
    '"',
    "\\",
    "--",
    ";",
    "$1",
    "%27",
    "%00",
    "%",
    "%zz",
    "%E0%A4%A",
    "%ff",
    "\u0000",
    "\ud800",
    "٣",
  ];
  // Clients strip punctuation from the end of a URL, so each gets a letter.
  const paths = rubbish
    .map((each) => `${each}x`)
    .flatMap((each) => [`/${each}`, `/${ana.username}/${each}`, `/tracks/${each}`, `/apps/${each}`]);
  for (const path of paths) {
    const asked = `/resolve?url=${stack.urls.api}${path}`;
    for (const target of [resolveHref(page(path)), asked]) {
      const reply = await fetch(stack.urls.api + target, {
        headers: { Authorization: `OAuth ${ben.token}` },
      });
      await reply.arrayBuffer();
      expect([target, reply.status]).toEqual([target, expect.toSatisfy(isRefusal)]);
    }
  }
  const path = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.webPath());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("/", `/${ana.username}/`, "/tracks/", ""), path, async (start, rest) => {
      const target = resolveHref(start ? page(start + rest) : rest);
      const reply = await fetch(stack.urls.api + target, {
        headers: { Authorization: `OAuth ${ben.token}` },
      });
      await reply.arrayBuffer();
      expect(reply.status).toSatisfy((status: number) => status === 200 || isRefusal(status));
    }),
    { numRuns: 100 },
  );
});
