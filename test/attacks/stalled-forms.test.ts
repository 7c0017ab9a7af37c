import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createJpeg } from "../support/images.ts";
import { createUser, type Person } from "../support/people.ts";
import { startSecondWorker } from "../support/second-worker.ts";
import { createTrack } from "../support/tracks.ts";
import { fieldsIn, startThreeHosts, tokenIn } from "../web/site/three-hosts.ts";

const MIB = 2 ** 20;

/** Room for three pictures of 6 MiB. */
const MEMORY_MIB = 24;

let service: Awaited<ReturnType<typeof startThreeHosts>>;
let ana: Person;
let path: string;
let browser: Awaited<ReturnType<typeof service.enter>>;
let html: string;

beforeAll(async () => {
  service = await startThreeHosts({ FORM_MEMORY_MIB: String(MEMORY_MIB), METRICS_TOKEN: "m" });
  ana = await createUser();
  await createTrack(ana, { title: "Pier", permalink: "pier" });
  path = `/${ana.username}/pier/edit`;
  browser = await service.enter(ana);
  ({ html } = await browser.get("web", path));
});
afterAll(() => service?.stop());

const field = (name: string, value: string) =>
  `--b0undary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string) =>
  `--b0undary\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\n\r\n`;

const open = new Set<{ destroy(): unknown }>();
afterEach(() => {
  for (const one of open) one.destroy();
  open.clear();
});

/** Sends the beginning of a body, usually a form, and no more. */
function stall(address: string, beginning: string, headers: Record<string, string> = {}) {
  const { host, port, pathname, search } = new URL(address);
  const sending = request({
    host: "127.0.0.1",
    port,
    path: pathname + search,
    method: "POST",
    headers: {
      Host: host,
      Accept: "text/html",
      "Content-Type": "multipart/form-data; boundary=b0undary",
      "Content-Length": 40 * MIB,
      ...headers,
    },
  });
  const reply = new Promise<IncomingMessage>((resolve) => sending.on("response", resolve));
  // Those that get no reply end with the test.
  sending.on("error", () => {});
  sending.write(beginning);
  open.add(sending);
  return { reply, content: reply.then(text), stop: () => sending.destroy() };
}

const page = () => `http://web.localhost:${service.port}${path}`;

const cookies = () => ({ Cookie: Array.from(browser.jars.web, (pair) => pair.join("=")).join("; ") });

const formBytes = async () => {
  const reply = await service.ask("api", "/metrics", { headers: { Authorization: "Bearer m" } });
  return Number(/^soundpost_form_bytes{[^}]*} (\d+)$/m.exec(await reply.text())?.[1]);
};

const picture = "x".repeat(6 * MIB);

describe("a form of the site that stalls in its file", () => {
  test.for<[string, () => [beginning: string, headers?: Record<string, string>]]>([
    ["without a token", () => [field("title", "x") + file("artwork_data"), cookies()]],
    ["with a made-up token", () => [field("form_token", "a.b") + file("artwork_data"), cookies()]],
    ["with its token behind the file", () => [file("artwork_data"), cookies()]],
    ["of a stranger", () => [field("form_token", "") + file("artwork_data")]],
  ])("403: %s is answered before the file has come", async ([, begin]) => {
    const [beginning, headers] = begin();
    const { reply, content } = stall(page(), beginning + picture, headers);
    expect((await reply).statusCode).toBe(403);
    expect(await content).toContain("does not come from our page");
    await expect.poll(formBytes).toBe(0);
  });

  test("holds nothing if its reader has signed out, and what was written behind the file comes back", async () => {
    const other = await service.enter(ana);
    const shown = await other.get("web", path);
    await other.post("web", "/session/end", { form_token: tokenIn(shown.html, "/session/end") });
    const { form_token = "", ...fields } = fieldsIn(shown.html, path);
    const sent = await other.postParts("web", path, {
      form_token,
      artwork_data: new File([picture], "a.jpg"),
      ...fields,
      description: "Written for long",
    });
    expect(sent.status).toBe(401);
    expect(sent.html).toContain("Written for long</textarea>");
  });

  test("503: holds a bounded part of the memory together with others, until its sender is gone", async () => {
    const own = field("form_token", tokenIn(html, path)) + file("artwork_data") + picture;
    const stalled = [1, 2, 3].map(() => stall(page(), own, cookies()));
    await expect.poll(formBytes).toBeGreaterThan(3 * 6 * MIB);
    const refused = await stall(page(), own, cookies()).reply;
    expect([refused.statusCode, Number(refused.headers["retry-after"])]).toEqual([503, expect.any(Number)]);
    expect(await formBytes()).toBeLessThanOrEqual(MEMORY_MIB * MIB);
    for (const { stop } of stalled) stop();
    await expect.poll(formBytes).toBe(0);
    const artwork_data = new File([new Uint8Array(await createJpeg())], "a.jpg");
    const saved = await browser.postParts("web", path, { ...fieldsIn(html, path), artwork_data });
    expect(saved.status).toBe(303);
  });
});

test("404: a body for Uppy's calls is not waited for if their token is made up", async () => {
  for (const call of ["multipart", "multipart/1/complete?key=k"]) {
    const to = `http://api.localhost:${service.port}/uploads/companion/a.b/s3/${call}`;
    const { reply } = stall(to, "{", { "Content-Type": "application/json" });
    expect([call, (await reply).statusCode]).toEqual([call, 404]);
  }
});

test("503: an upload in a form is refused as its file begins if its parts find no room, and a small one is taken", async () => {
  const worker = await startSecondWorker(() => ({ FORM_MEMORY_MIB: String(MEMORY_MIB) }));
  try {
    const headers = { Authorization: `OAuth ${ana.token}`, Accept: "application/json" };
    const beginning = `${field("track[title]", "x")}${file("track[asset_data]")}RIFF`;
    const { reply, content, stop } = stall(worker.at("/tracks"), beginning, headers);
    expect((await reply).statusCode).toBe(503);
    expect(await content).toContain("Too many files are being sent");
    // The Worker's end would wait for it.
    stop();
    const form = new FormData();
    form.set("track[title]", "Small");
    form.set("track[asset_data]", new Blob(["x".repeat(1000)]), "a.wav");
    const small = await fetch(worker.at("/tracks"), { method: "POST", body: form, headers });
    expect(small.status).toBe(201);
  } finally {
    await worker.stop();
  }
});
