import { execFile, spawn } from "node:child_process";
import { stripTypeScriptTypes } from "node:module";
import { promisify } from "node:util";

/** The fenced blocks of a page in Markdown. */
export const blocksOf = (markdown: string): { language: string; code: string }[] =>
  Array.from(markdown.matchAll(/^```(\w+)\n(.*?)\n```$/gms), ([, language = "", code = ""]) => ({
    language,
    code,
  }));

/** A sample of the reference, as its page has it. */
export interface Sample {
  language: string;
  html: string;
  /** Such as `GET /me`. */
  operation: string;
}

export const samplesIn = (page: string): Sample[] =>
  page.split('<section class="operation card"').flatMap((section) => {
    const [, method, path] =
      /<span class="method \w+">(\w+)<\/span> <code>([^<]+)<\/code>/.exec(section) ?? [];
    const [, sample = ""] = /<div class="sample"(.*?)<\/fieldset>/s.exec(section) ?? [];
    return codesIn(sample).map((code) => ({ ...code, operation: `${method} ${path}` }));
  });

/** The code of a page, in its order. */
export const codesIn = (page: string): { language: string; html: string }[] =>
  Array.from(
    page.matchAll(/data-language="(\w+)"><code>(.*?)<\/code>/gs),
    ([, language = "", html = ""]) => ({
      language,
      html,
    }),
  );

const SIGNS: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/** The text of a sample, with the reader's ids in it where they have one. */
export const filledIn = (html: string, ids: Record<string, unknown>): string =>
  html
    .replace(/<var data-sample="(\w+)">([^<]*)<\/var>/g, (_, name, shown) => String(ids[name] ?? shown))
    .replace(/&\w+;/g, (sign) => SIGNS[sign] ?? sign);

/** Status of the reply that each block got, by its place. */
export type Statuses = number[];

type Environment = Record<string, string>;

/** Runs commands one after another in one shell. Each is one `curl`. */
export async function runCurls(codes: string[], env: Environment, cwd: string): Promise<Statuses> {
  const prelude = `curl() { command curl -s -o /dev/null -w '%{http_code}\\n' "$@"; }`;
  const { stdout } = await promisify(execFile)("bash", ["-c", [prelude, ...codes].join("\n")], {
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 24,
  });
  return stdout.trim().split("\n").map(Number);
}

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

/** Runs snippets that print the reply's status first. */
export async function runTypeScripts(codes: string[], env: Environment): Promise<Statuses> {
  const statuses: Statuses = [];
  for (const code of codes) {
    const run = new AsyncFunction("process", "console", stripTypeScriptTypes(code));
    await run({ env }, { log: (status: number) => statuses.push(status) });
  }
  return statuses;
}

/** An error's status counts like a printed one. */
const PYTHON = `
import json, sys, urllib.error
statuses = []
for code in json.load(sys.stdin):
    try:
        exec(code, {"print": lambda status, *rest: statuses.append(status)})
    except urllib.error.HTTPError as error:
        statuses.append(error.code)
print(json.dumps(statuses))
`;

export async function runPythons(codes: string[], env: Environment): Promise<Statuses> {
  return JSON.parse(await runProgram("python3", ["-c", PYTHON], env, { input: JSON.stringify(codes) }));
}

interface Around {
  input?: string;
  cwd?: string;
  /** Opens the page of consent that a program prints the address of, as its user would. */
  open?: (address: string) => Promise<unknown>;
}

/** Returns what the program prints. Throws if it fails, with its words. */
export function runProgram(
  program: string,
  args: string[],
  env: Environment,
  { input = "", cwd = process.cwd(), open }: Around = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
    let [printed, complained] = ["", ""];
    let isOpened = false;
    child.stdout.on("data", (text) => {
      printed += text;
      const [, address] = /^Open (\S+)\n/m.exec(printed) ?? [];
      if (address === undefined || !open || isOpened) return;
      isOpened = true;
      open(address).catch((error) => {
        child.kill();
        reject(error);
      });
    });
    child.stderr.on("data", (text) => {
      complained += text;
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0
        ? resolve(printed)
        : reject(new Error(`${program} ended with ${code}:\n${printed}\n${complained}`)),
    );
    child.stdin.end(input);
  });
}
