import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Installed, installClient } from "../clients/typed-client.support.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { launchBrowser } from "./browser.ts";
import { signInByForm } from "./sign-in.ts";

const browser = launchBrowser();
let installed: Installed;
const started: ChildProcess[] = [];

beforeAll(async () => {
  installed = await installClient();
});
afterAll(() => {
  for (const program of started) program.kill();
  installed.remove();
});

/** Starts the program as npm installed it from the service, and returns the address that it prints. */
async function startProgram(...options: string[]) {
  const path = `${installed.directory}/node_modules/.bin/soundpost`;
  const program = spawn(process.execPath, [path, "app", "--no-browser", ...options], { stdio: "pipe" });
  started.push(program);
  const output = text(program.stdout);
  const ended = once(program, "close");
  let said = "";
  program.stderr.on("data", (more) => {
    said += more;
  });
  const address = await vi.waitUntil(() => /(http\S+)\n/.exec(said)?.[1], { timeout: 90_000 });
  return { address, output, ended, said: () => said };
}

async function artist(): Promise<Person> {
  const person = await createUserWithPassword();
  await sql("update users set plan = 'artist' where id = $1", [person.id]);
  return person;
}

test.for([
  [[], /^CLIENT_ID=(\w{32})\nCLIENT_SECRET=cs_[\w-]{43}\n$/],
  [["--public"], /^CLIENT_ID=(\w{32})\n$/],
] as const)(
  "one command, signing in and one form bring a key into the terminal: %j",
  async ([options, expected]) => {
    const person = await artist();
    const program = await startProgram("--name", "Pocket Recorder", ...options);
    const { page, complaints } = await browser.visit(program.address);
    await signInByForm(page, person);
    await page.getByText("A program on this device asks for this").waitFor();
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByRole("button", { name: "Send it to the terminal" }).click();
    await page.getByRole("heading", { name: "Your terminal goes on" }).waitFor();
    expect(new URL(page.url()).search + new URL(page.url()).hash).toBe("");
    const output = await program.output;
    const [, clientId] = expected.exec(output) ?? [];
    expect(clientId, output).toBeDefined();
    expect((await program.ended)[0]).toBe(0);
    const apps = await sql("select client_id, name from apps where owner_id = $1", [person.id]);
    expect(apps).toEqual([{ client_id: clientId, name: "Pocket Recorder" }]);
    expect(complaints).toEqual([]);
  },
);

test("the terminal says that a free plan registers no apps", async () => {
  const person = await createUserWithPassword();
  const program = await startProgram();
  const { page } = await browser.visit(program.address);
  await signInByForm(page, person);
  await page.getByRole("button", { name: "Back to the terminal" }).click();
  expect((await program.ended)[0]).toBe(1);
  expect(program.said()).toContain("Registering an app needs a paid plan");
});

test("the program takes a key from the page that it opened alone", async () => {
  const program = await startProgram();
  const { searchParams } = new URL(program.address);
  const to = searchParams.get("return_to") ?? "";
  const state = searchParams.get("state") ?? "";
  const form = { state, client_id: "planted" };
  const post = (body: Record<string, string>, headers = {}) =>
    fetch(to, { method: "POST", body: new URLSearchParams(body), headers });
  const refused = [
    await fetch(`${to}?${new URLSearchParams(form)}`),
    await post({ ...form, state: "" }),
    await post({ ...form, state: `${state}x` }),
    await post({ ...form, more: "x".repeat(5_000) }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect((await post({ state, client_id: "real" })).status).toBe(200);
  expect(await program.output).toBe("CLIENT_ID=real\n");
});
