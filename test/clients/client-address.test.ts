import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { clientPackage } from "../../workers/build/client-package.ts";
import { stack } from "../support/stack.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { run } from "./typed-client.support.ts";

const { version, content } = clientPackage(PROJECT_DIR);
const path = `/client-${version}.tgz`;
const newest = `${stack.urls.api}${path}`;
const directory = mkdtempSync(join(tmpdir(), "soundpost-address-"));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** An app without packages. */
function emptyApp(name: string): string {
  const app = join(directory, name);
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{ "private": true }');
  return app;
}

const npm = (app: string, ...words: string[]) =>
  run("npm", [...words, "--no-audit", "--no-fund", "--cache", join(directory, "cache")], { cwd: app });

test("the client has an address for each version, which never changes", async () => {
  const reply = await fetch(newest);
  expect([reply.status, reply.headers.get("Content-Type"), reply.headers.get("Cache-Control")]).toEqual([
    200,
    "application/gzip",
    "public, max-age=31536000, immutable",
  ]);
  expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(Buffer.from(await reply.arrayBuffer()).equals(content)).toBe(true);
});

test.each(["GET", "HEAD"])("%s of the address without a version leads to it for minutes", async (method) => {
  for (const host of new Set([stack.urls.api, stack.urls.web])) {
    const headers = { Origin: "https://app.example" };
    const reply = await fetch(`${host}/client.tgz`, { method, headers, redirect: "manual" });
    expect([reply.status, reply.headers.get("Location")]).toEqual([302, path]);
    expect(reply.headers.get("Cache-Control")).toBe("public, max-age=300");
    expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
  }
});

test("another version is 404, names this one, and npm says so", async () => {
  const older = `${stack.urls.api}/client-1.0.0-b0123456789ab.tgz`;
  const words = `This service has another version of its client: ${path}`;
  const reply = await fetch(older, { headers: { Accept: "text/html" } });
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({
    code: 404,
    type: "not-found",
    error: words,
    errors: [{ error_message: words }],
  });
  await expect(npm(emptyApp("older"), "install", older)).rejects.toThrow(words);
});

test("an app's lock file holds the version's address, and the same is installed anew", async () => {
  const app = emptyApp("app");
  await npm(app, "install", newest);
  const { packages } = JSON.parse(readFileSync(join(app, "package-lock.json"), "utf8"));
  expect(packages["node_modules/soundpost"]).toMatchObject({ version, resolved: newest, license: "MIT" });
  await npm(app, "ci");
  const program = 'import("soundpost").then(({ createClient }) => console.log(typeof createClient))';
  expect(execFileSync(process.execPath, ["-e", program], { cwd: app, encoding: "utf8" })).toBe("function\n");
});
