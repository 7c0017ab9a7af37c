import { stepAt, totpCode } from "../../../functions/lib/security/totp.ts";
import { readArguments } from "../../../workers/admin/arguments.ts";
import { operatorCommands } from "../../../workers/admin/operator-commands.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { fieldsIn, type ThreeHostsBrowser } from "../site/three-hosts.ts";

export const ENTER = "/admin/enter";
export const ENROL = "/admin/enter/new";

/** Runs one of the commands that make and unmake operators. */
export const operate = (command: string, ...args: string[]) =>
  operatorCommands[`operator ${command}`]?.(stackTarget(stack), readArguments(args));

/** Makes a user an operator, or invites one anew. Returns the code for the first entry. */
export async function startCode({ username }: Person, command: "add" | "reset" = "add"): Promise<string> {
  const reply = await operate(command, "--username", username);
  return typeof reply?.code === "string" ? reply.code : "";
}

/** The code that an app shows now, or so many steps of 30 seconds later. */
export const codeOf = (secret: string, later = 0): string => totpCode(secret, stepAt(Date.now()) + later);

/** The key that the page of a new second factor shows. */
export const secretIn = (html: string): string =>
  (/<code class="secret">([A-Z2-7 ]+)</.exec(html)?.[1] ?? "").replaceAll(" ", "");

export const recoveryIn = (html: string): string[] =>
  Array.from(html.matchAll(/<code>((?:[A-Z2-7]{4}-){3}[A-Z2-7]{4})<\/code>/g), ([, code = ""]) => code);

/** Sets up the second factor of the operator who is signed in, with the code before the present one. */
export async function enrol(
  browser: ThreeHostsBrowser,
  start: string,
): Promise<{ secret: string; recovery: string[] }> {
  const { html } = await browser.get("web", ENTER);
  const secret = secretIn(html);
  const step = stepAt(Date.now());
  const codes = { code: totpCode(secret, step - 1), start };
  const shown = await browser.post("web", ENROL, { ...fieldsIn(html, ENROL), ...codes });
  const recovery = recoveryIn(shown.html);
  // A step that ended meanwhile made the code too old.
  return recovery.length || stepAt(Date.now()) === step ? { secret, recovery } : enrol(browser, start);
}

/** Sends a code of the authenticator app, or a recovery code. */
export const enter = (browser: ThreeHostsBrowser, code: string) => browser.submit(ENTER, ENTER, { code });

/** A browser that has passed the second factor. */
export async function operatorAt(service: {
  open(): ThreeHostsBrowser;
}): Promise<{ person: Person; browser: ThreeHostsBrowser }> {
  const person = await createUser();
  const start = await startCode(person);
  const browser = await service.open().enterSite(person.id);
  await enrol(browser, start);
  return { person, browser };
}
