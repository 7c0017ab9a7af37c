import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, test } from "vitest";
import { type FaultyStack, startFaultyStack } from "../faults/faulty-stack.ts";
import { expectUnavailable } from "../lib/http/requests.support.ts";
import { createJpeg } from "../support/images.ts";
import { logText } from "../support/stack.ts";
import { words } from "../support/tracks.ts";

/** Replaces transcoder and mail service. Accepts everything and never replies. */
const mute = createServer((request) => {
  const path = request.url ?? "";
  asked.push(path);
  request.resume();
  request.socket.on("close", () => givenUp.push(path));
});
const asked: string[] = [];
/** Paths of the requests that the service waits for no longer. */
const givenUp: string[] = [];
let faulty: FaultyStack;
let headers: Record<string, string>;
let email: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  faulty = await startFaultyStack({ TRANSCODER_URLS: url, MAIL_URL: url }, 0);
  const { userId, tokens } = await faulty.auth.signedIn();
  headers = { Authorization: `OAuth ${tokens.access_token}` };
  const [account] = await faulty.auth.sql<{ email: string }>(
    "select email from accounts where user_id = $1",
    [userId],
  );
  email = account?.email ?? "";
});
afterAll(async () => {
  await faulty?.stop();
  mute.close();
  mute.closeAllConnections();
});

const post = async (method: string, path: string, form: FormData) => {
  const reply = await fetch(faulty.stack.urls.api + path, { method, body: form, headers });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
};

const log = () => logText(faulty.dataDir, "worker");

// Concurrent, because each waits for a limit of its own. The common `expect` knows no test to poll in once one of them ends.

test.concurrent("503: a picture if the transcoder is silent", async () => {
  const form = new FormData();
  form.set("user[avatar_data]", new Blob([new Uint8Array(await createJpeg())]), "me.jpg");
  expectUnavailable(await post("PUT", "/me", form));
});

test.concurrent("a job that the transcoder never answers is returned without using up an attempt", async ({
  expect,
}) => {
  const form = new FormData();
  form.set("track[title]", "A song");
  form.set("track[asset_data]", words(), "song.wav");
  const { id } = JSON.parse((await post("POST", "/tracks", form)).text) as { id: number };
  const job = async () =>
    (await faulty.auth.sql("select state, attempt from encoding_jobs where track_id = $1", [id]))[0];
  await expect.poll(job).toMatchObject({ state: "leased" });
  await expect.poll(() => asked).toContain("/jobs");
  await expect.poll(job, { timeout: 100_000, interval: 500 }).toEqual({ state: "queued", attempt: 0 });
});

test.concurrent("a silent mail service delays nobody and is logged", async ({ expect }) => {
  const page = await fetch(`${faulty.stack.urls.api}/forgot`);
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const hidden = [...(await page.text()).matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
    /name="([^"]*)"/.exec(input)?.[1] ?? "",
    /value="([^"]*)"/.exec(input)?.[1] ?? "",
  ]);
  const sent = await fetch(`${faulty.stack.urls.api}/forgot`, {
    method: "POST",
    body: new URLSearchParams([...hidden, ["email", email]]),
    headers: { Cookie: cookie, Origin: faulty.stack.urls.api },
    redirect: "manual",
  });
  expect(sent.status).toBeLessThan(400);
  expect(givenUp).not.toContain("/messages");
  await expect.poll(() => asked).toContain("/messages");
  await expect.poll(log).toMatch(/mail_failed/);
});
