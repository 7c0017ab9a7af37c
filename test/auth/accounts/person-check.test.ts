import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser, hiddenFields, PASSWORD, uniqueName } from "../../support/browser.ts";
import { startSecondWorker } from "../../support/second-worker.ts";
import { stack } from "../../support/stack.ts";

/** Cheap puzzles, so that a test solves many. */
const PUZZLES = { PROOF_OF_WORK: "on", PROOF_OF_WORK_HASHES: "1000", SIGN_UPS_PER_HOUR: "off" };

let puzzling: Awaited<ReturnType<typeof startSecondWorker>>;
let guarded: Awaited<ReturnType<typeof startSecondWorker>>;
let siteverify: Server;
/** Questions to the stand-in of Turnstile, and its answers by token. */
const asked: Record<string, unknown>[] = [];
const VERDICTS: Record<string, [status: number, body: string]> = {
  person: [200, '{"success":true,"error-codes":[]}'],
  program: [200, '{"success":false,"error-codes":["invalid-input-response"]}'],
  again: [200, '{"success":false,"error-codes":["timeout-or-duplicate"]}'],
  misconfigured: [200, '{"success":false,"error-codes":["invalid-input-secret"]}'],
  broken: [502, "<h1>Bad gateway</h1>"],
};

beforeAll(async () => {
  siteverify = createServer(async (request, response) => {
    const question = (await json(request)) as Record<string, string>;
    asked.push(question);
    const [status, body] = VERDICTS[question.response ?? ""] ?? [500, ""];
    if (question.response === "away") return request.socket.destroy();
    return response.writeHead(status).end(body);
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => siteverify.once("listening", listening));
  const { port } = siteverify.address() as AddressInfo;
  [puzzling, guarded] = await Promise.all([
    startSecondWorker(() => PUZZLES),
    startSecondWorker(() => ({
      ...PUZZLES,
      TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
      TURNSTILE_SECRET: "a secret",
      TURNSTILE_VERIFY_URL: `http://127.0.0.1:${port}/siteverify`,
    })),
  ]);
});

afterAll(async () => {
  await Promise.all([puzzling?.stop(), guarded?.stop()]);
  siteverify.close();
});

const at = ({ port }: { port: number }) => new Browser(undefined, stack.urls.api, String(port));

const newcomer = () => {
  const username = uniqueName();
  return { username, email: `${username}@example.com`, password: PASSWORD };
};

/** Solves the puzzle of a page as its script does. */
function proofOf(html: string): string {
  const [, task, parts, bound] =
    /<person-check data-task="([^"]+)" data-parts="(\d+)" data-bound="(\d+)">/.exec(html) ?? [];
  const answers = Array.from({ length: Number(parts) }, (_, part) => {
    let answer = 0;
    while (hashOf(`${task}.${part}.${answer}`) >= Number(bound)) answer += 1;
    return answer;
  });
  return answers.join(".");
}

const hashOf = (text: string) => createHash("sha256").update(text).digest().readUInt32BE();

/** A form that was opened, with its puzzle solved. */
async function openedForm(browser: Browser) {
  const { html } = await browser.get("/signup");
  return { ...hiddenFields(html, "/signup"), proof: proofOf(html) };
}

test("303: the form's own puzzle, solved, makes an account, once", async () => {
  const browser = at(puzzling);
  const form = await openedForm(browser);
  expect((await browser.post("/signup", { ...form, ...newcomer() })).status).toBe(303);
  const again = at(puzzling);
  const other = await openedForm(again);
  const replies = await Promise.all(
    Array.from({ length: 3 }, () => again.post("/signup", { ...other, ...newcomer() })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
  const refused = replies.find(({ status }) => status === 422);
  expect(refused?.html).toContain("The check that you are a person was for another form");
});

test.each([
  ["none", () => ""],
  ["no numbers", () => "<script>"],
  ["an answer too few", (proof: string) => proof.split(".").slice(1).join(".")],
  ["zeros", (proof: string) => proof.replace(/\d+/g, "0")],
])("422: a proof with %s makes no account, and the form keeps what was entered", async (_, wrong) => {
  const browser = at(puzzling);
  const form = await openedForm(browser);
  const sent = newcomer();
  const reply = await browser.post("/signup", { ...form, proof: wrong(form.proof), ...sent });
  expect(reply.status).toBe(422);
  expect(reply.html).toContain("The check that you are a person did not finish");
  expect(reply.html).toContain(`value="${sent.username}"`);
  // The next form has a puzzle of its own, and no answer.
  const next = { ...hiddenFields(reply.html, "/signup"), ...sent };
  expect(next).toMatchObject({ proof: "" });
  expect((await browser.post("/signup", { ...next, proof: proofOf(reply.html) })).status).toBe(303);
});

test("422: the proof of one form is none for another", async () => {
  const browser = at(puzzling);
  const [one, other] = [await openedForm(browser), await openedForm(browser)];
  const mixed = { ...other, proof: one.proof, ...newcomer() };
  expect((await browser.post("/signup", mixed)).status).toBe(422);
});

test("the form says that it needs scripts, and has a place where its state is said", async () => {
  const { html, headers } = await at(puzzling).get("/signup");
  expect(html).toContain("Creating an account needs scripts");
  expect(html).toMatch(/<person-check [^>]+>.*<p class="hint" role="status"><\/p>/s);
  expect(headers["content-security-policy"]).not.toContain("challenges.cloudflare.com");
  expect((await new Browser().get("/signup")).html).not.toContain("person-check");
});

test("with Turnstile's keys the widget takes the puzzle's place, and the policy names its host alone", async () => {
  const { html, headers } = await at(guarded).get("/signup");
  expect(html).toContain('<div class="cf-turnstile" data-sitekey="1x00000000000000000000AA"');
  expect(html).not.toContain("person-check");
  const policy = headers["content-security-policy"] ?? "";
  expect(policy.match(/\S+-src [^;]*challenges\.cloudflare\.com[^;]*/g)).toEqual([
    expect.stringMatching(/^script-src 'self'(?: \S+)? https:\/\/challenges\.cloudflare\.com$/),
    "frame-src https://challenges.cloudflare.com",
  ]);
  expect((await at(guarded).get("/signin")).headers["content-security-policy"]).not.toContain("cloudflare");
});

test("the page on privacy tells of Cloudflare where its widget is", async () => {
  const words = "a script of Cloudflare checks there that you are a person";
  expect((await at(guarded).get("/privacy")).html).toContain(words);
  expect((await at(puzzling).get("/privacy")).html).not.toContain(words);
});

const signUpWith = (token: string | undefined) =>
  at(guarded).submit("/signup", "/signup", {
    ...newcomer(),
    ...(token !== undefined && { "cf-turnstile-response": token }),
  });

test("303: a token that Turnstile takes makes an account", async () => {
  expect((await signUpWith("person")).status).toBe(303);
  expect(asked.at(-1)).toMatchObject({ secret: "a secret", response: "person" });
});

test.each([undefined, "", "x".repeat(2049), "program", "again"])("422: the token %j", async (token) => {
  const reply = await signUpWith(token);
  expect(reply.status).toBe(422);
  expect(reply.html).toContain("The check that you are a person did not finish");
});

test.each(["away", "broken", "misconfigured"])(
  "503 and when to try again: Turnstile is %s",
  async (token) => {
    const reply = await signUpWith(token);
    expect(reply.status).toBe(503);
    expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
    expect(reply.html).toContain("Nothing was created; try again in a minute");
  },
);
