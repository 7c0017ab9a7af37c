import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newWebhookSecret, signedHeaders } from "../../functions/api/webhooks/signature.ts";
import { PAGES } from "../../functions/web/docs/pages.ts";
import { feedOf, ownerOf, startFeedServer } from "../api/imports/feed-server.ts";
import { newEmail } from "../api/imports/imports.support.ts";
import { type ConsentBrowser, createClientApp, signedInBrowser } from "../support/consent.ts";
import { createApp, createUser, type Person, tokenOf } from "../support/people.ts";
import { blocksOf, codesIn, filledIn, runProgram } from "../support/snippets.ts";
import { stack } from "../support/stack.ts";
import { createPlayableTrack, uploadFinishedTrack } from "../support/tracks.ts";
import { idsOf } from "./sample-reader.support.ts";

const directory = mkdtempSync(join(tmpdir(), "soundpost-guides-"));
let environment: Record<string, string>;
/** Ids that the docs fill in for the reader, and for one whose track the guide to private links hides. */
let ids: Record<string, unknown>;
let hidden: { ids: Record<string, unknown>; TOKEN: string };
let ana: Person;
let reader: ConsentBrowser;

beforeAll(async () => {
  // The client's command registers this one, unless it is given others.
  const app = await createApp("http://127.0.0.1/callback");
  ana = await createUser({ plan: "artist", app });
  reader = await signedInBrowser(ana);
  await uploadFinishedTrack(ana, { downloadable: true });
  ids = await idsOf(ana);
  const ben = await createUser({ app });
  await createPlayableTrack(ben);
  hidden = { ids: await idsOf(ben), TOKEN: ben.token };
  const secret = newWebhookSecret();
  const body = JSON.stringify({ type: "webhook.test" });
  const headers = signedHeaders([secret], { id: randomUUID(), sentAt: new Date(), body });
  environment = {
    TOKEN: ana.token,
    SPARE_TOKEN: await tokenOf(app, ana.username),
    CLIENT_ID: app.client_id,
    CLIENT_SECRET: app.client_secret,
    FEED: await serveFeed(),
    SECRET: secret,
    DELIVERY: JSON.stringify({ headers, body }),
  };
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Serves a podcast's feed at another host. */
async function serveFeed(): Promise<string> {
  const server = await startFeedServer();
  const episode = { guid: "1", url: `${server.origin}/1.mp3` };
  return server.serve("/feed.xml", { bytes: feedOf("Night Trains", ownerOf(newEmail()), [episode]) });
}

const idsFor = (page: string) => (page === "private-links" ? hidden.ids : ids);

/** Attributes of a sample that the page's script runs. */
const OFFERED = / data-method="(\w+)" data-path="([^"]+)"(?: data-body="([^"]+)")?/g;

const withIds = (text: string, own: Record<string, unknown>): string =>
  filledIn(text, own).replace(/[A-Z]+(?:_[A-Z]+)+/g, (name) => String(own[name]));

async function blocks(page: string, language: string, own = idsFor(page)): Promise<string[]> {
  const html = await (await fetch(`${stack.urls.api}/docs/${page}`)).text();
  return codesIn(html)
    .filter((code) => code.language === language)
    .map((code) => filledIn(code.html, own));
}

/** Every reply that is no success ends the shell, as does each command that finds nothing. */
const STRICT = `set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }`;

const run = (page: string, program: string, args: string[]) =>
  runProgram(
    program,
    args,
    page === "private-links" ? { ...environment, TOKEN: hidden.TOKEN } : environment,
    {
      cwd: directory,
      open: consent,
    },
  );

/** Allows the app, and follows the redirect to the program. */
async function consent(address: string): Promise<void> {
  const { pathname, search } = new URL(address);
  const { location } = await reader.approve(pathname + search);
  await (await fetch(location ?? "")).text();
}

/** Lays a package of ours where the guides' programs find it, as `npm install` would. */
function install(name: string, from = resolve("test/node_modules")): void {
  const place = join(directory, "node_modules", name);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(from, name), place);
}

const names = PAGES.map(({ name }) => name);

test.each(names)("the commands of the guide %s succeed, one after another", async (page) => {
  const codes = await blocks(page, "sh");
  if (codes.length) await run(page, "bash", ["-c", [STRICT, ...codes].join("\n")]);
});

test.each(names)("the TypeScript of the guide %s runs", async (page) => {
  for (const code of await blocks(page, "ts")) {
    if (code.includes('from "openid-client"')) install("openid-client");
    const file = join(directory, `${randomUUID()}.mts`);
    writeFileSync(file, code);
    await run(page, process.execPath, [file]);
  }
});

test.each(names)("the Python of the guide %s runs", async (page) => {
  for (const code of await blocks(page, "python")) await run(page, "python3", ["-c", code]);
});

test.each(names)("the JSON of the guide %s is JSON", async (page) => {
  for (const code of await blocks(page, "json")) expect(() => JSON.parse(code)).not.toThrow();
});

test("what the guides offer to run beside a command succeeds, and each name in their code is one of the reader's ids", async () => {
  // The pages have an app of their own, so what the commands made before belongs to another.
  const token = await tokenOf(await createApp(), ana.username);
  const ran = await Promise.all(
    names.map(async (page) => {
      const html = await (await fetch(`${stack.urls.api}/docs/${page}`)).text();
      const own = idsFor(page);
      for (const [, name = ""] of html.matchAll(/data-sample="(\w+)"/g)) expect(own).toHaveProperty(name);
      const statuses: [request: string, isOk: boolean][] = [];
      for (const [, method = "", path = "", body] of html.matchAll(OFFERED)) {
        const reply = await fetch(stack.urls.api + withIds(path, own), {
          method,
          headers: {
            Authorization: `Bearer ${page === "private-links" ? hidden.TOKEN : token}`,
            ...(body !== undefined && { "Content-Type": "application/json" }),
          },
          body: body === undefined ? undefined : withIds(body, own),
        });
        statuses.push([`${method} ${path}: ${reply.status}`, reply.ok]);
      }
      return statuses;
    }),
  );
  const all = ran.flat();
  expect(all.flatMap(([request, isOk]) => (isOk ? [] : [request]))).toEqual([]);
  const writes = all.filter(([request]) => !request.startsWith("GET "));
  expect([all.length - writes.length > 10, writes.length > 5]).toEqual([true, true]);
});

/** Any id will do for types. */
const EVERY_ID = new Proxy({}, { get: () => 1 });

test("the TypeScript of every page passes a strict compiler", async () => {
  const listed = await (await fetch(`${stack.urls.api}/llms.txt`)).text();
  const pages = Array.from(listed.matchAll(/\/docs\/(\S+)\.md\)/g), ([, page = ""]) => page);
  install("openid-client");
  install("@types/node", resolve("node_modules"));
  const codes = (await Promise.all(pages.map((page) => blocks(page, "ts", EVERY_ID)))).flat();
  expect(codes.length).toBeGreaterThan(150);
  const files = codes.map((code) => {
    const file = join(directory, `${randomUUID()}.mts`);
    writeFileSync(file, `export {};\n${code}`);
    return file;
  });
  const compiler = resolve("test/node_modules/typescript/bin/tsc");
  const options = "--strict --noEmit --skipLibCheck --target es2024 --module nodenext --types node".split(
    " ",
  );
  await runProgram(process.execPath, [compiler, ...options, ...files], {}, { cwd: directory });
});

test("each program of the guide to tokens that signs people in does so for a public app, too", async () => {
  const redeems = (code: string) => /refresh_token/.test(code) && /\/callback[`"]/.test(code);
  const [node, python] = [await blocks("tokens", "ts"), await blocks("tokens", "python")].map((codes) =>
    codes.filter(redeems),
  );
  expect([node?.length, python?.length]).toEqual([2, 1]);
  const redirectUris = ["http://127.0.0.1/callback"];
  const { client_id } = await createClientApp({ isPublic: true, redirectUris });
  const env = { CLIENT_ID: client_id };
  const around = { cwd: directory, open: consent };
  install("openid-client");
  for (const code of node ?? []) {
    const file = join(directory, `${randomUUID()}.mts`);
    writeFileSync(file, code);
    expect(await runProgram(process.execPath, [file], env, around)).toMatch(/^200 /m);
  }
  for (const code of python ?? [])
    expect(await runProgram("python3", ["-c", code], env, around)).toMatch(/^200 /m);
});

test("the checks find each block that the guides have, and every language has some", async () => {
  for (const language of ["sh", "ts", "python", "json"]) {
    const counts = await Promise.all(
      names.map(async (page) => {
        const written = blocksOf(await (await fetch(`${stack.urls.api}/docs/${page}.md`)).text());
        const expected = written.filter((block) => block.language === language).length;
        return { page, found: (await blocks(page, language)).length, expected };
      }),
    );
    expect(counts.filter(({ found, expected }) => found !== expected)).toEqual([]);
    expect([language, counts.some(({ found }) => found > 0)]).toEqual([language, true]);
  }
});
