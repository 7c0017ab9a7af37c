import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { Listener } from "../api/webhooks/event-listener.ts";
import { api } from "../support/api.ts";
import { succeeds, unpackPackage } from "../support/debian.ts";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { createPlayableTrack } from "../support/tracks.ts";

let directory: string;
/** `undefined` where no Debian package can be unpacked. */
let nginx: ChildProcess | undefined;
let url: string;

/** Buffers and compresses, and speaks HTTP/1.0 to the service, which are nginx's defaults but for the types. */
const configuration = (port: number) => `
daemon off; pid ${directory}/pid; error_log stderr;
events {}
http {
  access_log off; gzip on; gzip_types *; gzip_proxied any; gzip_min_length 0; proxy_buffering on;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((one) => `${one}_temp_path ${directory}/${one};`).join(" ")}
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${stack.urls.api}; } }
}`;

beforeAll(async () => {
  if (!(await succeeds("apt-get", "--version"))) return;
  directory = mkdtempSync(join(tmpdir(), "soundpost-nginx-"));
  await unpackPackage("nginx", directory);
  const port = await freePorts(1);
  url = `http://127.0.0.1:${port}`;
  writeFileSync(join(directory, "nginx.conf"), configuration(port));
  nginx = spawn(join(directory, "usr/sbin/nginx"), ["-e", "stderr", "-c", join(directory, "nginx.conf")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), { timeout: 90_000 });
});
afterAll(async () => {
  if (!nginx) return;
  nginx.kill();
  if (nginx.exitCode === null) await once(nginx, "exit");
  rmSync(directory, { recursive: true, force: true });
});

test("a stream asks proxies to keep nothing back and to change nothing", async () => {
  const headers = { Authorization: `OAuth ${(await createUser()).token}`, Accept: "text/event-stream" };
  const { headers: sent, body } = await fetch(`${stack.urls.api}/me/events`, { headers });
  await body?.cancel();
  expect([sent.get("X-Accel-Buffering"), sent.get("Cache-Control")]).toEqual([
    "no",
    "private, no-store, no-transform",
  ]);
});

test("events pass at once through Debian's nginx, which compresses them all the same", async ({ skip }) => {
  skip(!nginx, "apt-get is needed, to unpack Debian's nginx");
  const [ana, ben] = [await createUser(), await createUser()];
  const track = await createPlayableTrack(ana);
  // Resolves with the first bytes. nginx would gather 4 KiB, which no client waits for.
  const listener = await new Listener(url).open(ana);
  expect(listener.headers?.get("Content-Encoding")).toBe("gzip");
  expect((await api.as(ben).post(`/likes/tracks/${track.id}`)).status).toBe(200);
  expect(await listener.received(1)).toEqual(["like.created"]);
  listener.stop();
});
