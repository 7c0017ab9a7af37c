import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newWebhookSecret, signedHeaders } from "../../functions/api/webhooks/signature.ts";
import { PAGES } from "../../functions/web/docs/pages.ts";
import { feedOf, ownerOf, startFeedServer } from "../api/imports/feed-server.ts";
import { newEmail } from "../api/imports/imports.support.ts";
import { api } from "../support/api.ts";
import { type ConsentBrowser, signedInBrowser } from "../support/consent.ts";
import { createApp, createUser, tokenOf } from "../support/people.ts";
import { blocksOf, runProgram } from "../support/snippets.ts";
import { stack } from "../support/stack.ts";
import { createPlayableTrack, uploadFinishedTrack } from "../support/tracks.ts";

const directory = mkdtempSync(join(tmpdir(), "soundpost-guides-"));
let environment: Record<string, string>;
/** The guide to private links hides its track. */
let hidden: { TRACK: string; TRACK_PAGE: string };
let reader: ConsentBrowser;

beforeAll(async () => {
  const app = await createApp();
  const ana = await createUser({ plan: "artist", app });
  reader = await signedInBrowser(ana);
  const track = await uploadFinishedTrack(ana, { downloadable: true });
  const { id } = await createPlayableTrack(ana);
  const page = (await api.as(ana).get<{ permalink_url: string }>(`/tracks/${id}`)).body.permalink_url;
  hidden = { TRACK: String(id), TRACK_PAGE: page };
  const secret = newWebhookSecret();
  const body = JSON.stringify({ type: "webhook.test" });
  const headers = signedHeaders([secret], { id: randomUUID(), sentAt: new Date(), body });
  environment = {
    TOKEN: ana.token,
    SPARE_TOKEN: await tokenOf(app, ana.username),
    CLIENT_ID: app.client_id,
    CLIENT_SECRET: app.client_secret,
    TRACK: String(track.id),
    TRACK_PAGE: track.permalink_url,
    USER_PAGE: track.permalink_url.slice(0, track.permalink_url.lastIndexOf("/")),
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

async function blocks(page: string, language: string): Promise<string[]> {
  const markdown = await (await fetch(`${stack.urls.api}/docs/${page}.md`)).text();
  return blocksOf(markdown)
    .filter((block) => block.language === language)
    .map(({ code }) => code);
}

/** Every reply that is no success ends the shell, as does each command that finds nothing. */
const STRICT = `set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }`;

const run = (page: string, program: string, args: string[]) =>
  runProgram(program, args, page === "private-links" ? { ...environment, ...hidden } : environment, {
    cwd: directory,
    open: consent,
  });

/** Allows the app, and follows the redirect to the program. */
async function consent(address: string): Promise<void> {
  const { pathname, search } = new URL(address);
  const { location } = await reader.approve(pathname + search);
  await (await fetch(location ?? "")).text();
}

/** Lays a package of ours where the guides' programs find it, as `npm install` would. */
function install(name: string): void {
  const place = join(directory, "node_modules", name);
  if (existsSync(place)) return;
  mkdirSync(join(directory, "node_modules"), { recursive: true });
  symlinkSync(resolve("test/node_modules", name), place);
}

const names = PAGES.map(({ name }) => name);

test.each(names)(
  "the commands of the guide %s succeed, one after another",
  async (page) => {
    const codes = await blocks(page, "sh");
    if (codes.length) await run(page, "bash", ["-c", [STRICT, ...codes].join("\n")]);
  },
  90_000,
);

test.each(names)(
  "the TypeScript of the guide %s runs",
  async (page) => {
    for (const code of await blocks(page, "ts")) {
      if (code.includes('from "openid-client"')) install("openid-client");
      const file = join(directory, `${randomUUID()}.mts`);
      writeFileSync(file, code);
      await run(page, process.execPath, [file]);
    }
  },
  60_000,
);

test.each(names)(
  "the Python of the guide %s runs",
  async (page) => {
    for (const code of await blocks(page, "python")) await run(page, "python3", ["-c", code]);
  },
  60_000,
);

test.each(names)("the JSON of the guide %s is JSON", async (page) => {
  for (const code of await blocks(page, "json")) expect(() => JSON.parse(code)).not.toThrow();
});

test("the guide to tokens redeems a code and refreshes in each program", async () => {
  const programs = [...(await blocks("tokens", "ts")), ...(await blocks("tokens", "python"))];
  const redeeming = programs.filter((code) => /refresh_token/.test(code) && /\/cb`|\/cb"/.test(code));
  expect(redeeming).toHaveLength(3);
});

test("the guides hold code in each language, so that the checks cannot pass on nothing", async () => {
  const counts = await Promise.all(
    ["sh", "ts", "python"].map(async (language) => {
      const found = await Promise.all(names.map((page) => blocks(page, language)));
      return found.flat().length;
    }),
  );
  expect(Math.min(...counts)).toBeGreaterThan(5);
});
