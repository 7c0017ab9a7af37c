import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readArguments } from "../../../workers/admin/arguments.ts";
import { commands } from "../../../workers/admin/commands.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { freePorts } from "../../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../../workers/local/stack/stack.ts";
import { listenForWorker } from "../../../workers/local/worker/loopback.ts";
import { brokenInvariantsOf } from "../../support/check-invariants.ts";
import { fillDataDir } from "../../support/data-dir.ts";
import { createJpeg } from "../../support/images.ts";
import { Ledger } from "../../support/ledger.ts";
import { AuthServer } from "../../support/oauth.ts";

/** A stack with our own transcoder and storage, which fail on request. */
let stack: Stack;
let token: string;

const dataDir = mkdtempSync(join(tmpdir(), "soundpost-images-"));

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

let transcoder: Answer;
let storage: Answer;
const stored: string[] = [];
/** The last request for a rendering. */
let asked = "";

const double = createServer(async (request, response) => {
  await buffer(request).catch(() => {});
  if (request.url?.startsWith("/images?")) {
    asked = request.url;
    return transcoder(request, response);
  }
  stored.push(request.url ?? "");
  return storage(request, response);
});

const says =
  (status: number, body: string | Buffer = ""): Answer =>
  (_request, response) =>
    response.writeHead(status).end(body);

const reset: Answer = (request) => request.socket.resetAndDestroy();

const packed = (count: number) =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.from([0, 0, 0, 3, 0xff, 0xd8, 0xff])));

beforeAll(async () => {
  const url = `http://127.0.0.1:${await listenForWorker(double)}`;
  const env = { TRANSCODER_URLS: url, S3_ENDPOINT: url };
  await fillDataDir(dataDir);
  stack = await startStack({
    port: await freePorts(3),
    dataDir,
    log: () => {},
    env,
    crons: false,
    transcoders: 0,
  });
  const run = (command: string, ...args: string[]) =>
    commands[command]?.(stackTarget(stack), readArguments(args)) as Promise<Record<string, string>>;
  const identity = ["--email", "ana@example.com", "--password", "correct horse battery"];
  await run("user create", "--username", "ana", ...identity, "--plan", "artist");
  const app = await run(
    "app create",
    "--owner",
    "ana",
    "--name",
    "App",
    "--redirect-uri",
    "http://127.0.0.1/",
  );
  token = (await run("token create", "--app", app.client_id ?? "", "--user", "ana")).access_token ?? "";
});

afterAll(async () => {
  const auth = new AuthServer(stack);
  expect(await brokenInvariantsOf({ stack, auth, ledger: new Ledger() })).toEqual([]);
  await stack?.stop();
  double.close();
  double.closeAllConnections();
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = (method: string, body?: FormData) =>
  fetch(`${stack.urls.api}/me`, { method, body, headers: { Authorization: `OAuth ${token}` } });

async function setAvatar(): Promise<Response> {
  const form = new FormData();
  form.set("user[username]", "Somebody Else");
  form.set("user[avatar_data]", new Blob([new Uint8Array(await createJpeg())]), "me.jpg");
  return ask("PUT", form);
}

const TROUBLE: [string, Answer, Answer][] = [
  ["a transcoder that is not there", reset, says(200)],
  ["one that is busy", says(503, '{"error":"busy"}'), says(200)],
  ["one that fails", says(500, '{"error":"internal"}'), says(200)],
  ["one that leaves out a format", says(200, packed(8)), says(200)],
  ["one that breaks off", says(200, packed(9).subarray(0, 61)), says(200)],
  ["one that talks nonsense", says(200, "not pictures at all"), says(200)],
  ["one that refuses without a word", says(422, "<html>"), says(200)],
  ["storage that fails (F20)", says(200, packed(9)), says(500)],
  ["storage that is not there", says(200, packed(9)), reset],
];

test.each(TROUBLE)("503: with %s a picture is refused and nothing changes", async (_what, answer, store) => {
  [transcoder, storage] = [answer, store];
  const before = await (await ask("GET")).json();
  const reply = await setAvatar();
  const { errors } = (await reply.json()) as { errors: { error_message: string }[] };
  expect([reply.status, errors[0]?.error_message]).toEqual([
    503,
    expect.stringContaining("nothing was changed"),
  ]);
  expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await (await ask("GET")).json()).toEqual(before);
});

test("a retry succeeds after the failure, in its owner's turn, and a refusal keeps its own words", async () => {
  [transcoder, storage] = [says(422, '{"error":"refused","reason":"is too plain"}'), says(200)];
  const refused = await setAvatar();
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("is too plain")]);
  stored.length = 0;
  transcoder = says(200, packed(9));
  const reply = await setAvatar();
  const { id, avatar_url, username } = (await reply.json()) as {
    id: number;
    avatar_url: string;
    username: string;
  };
  expect(asked).toMatch(new RegExp(`&owner=${id}$`));
  const version = /images\/([0-9a-f]{32})-large\.jpg$/.exec(avatar_url)?.[1];
  expect([reply.status, username]).toEqual([200, "Somebody Else"]);
  expect(stored).toHaveLength(9);
  for (const path of stored) expect(path).toContain(`/images/${version}/`);
});
