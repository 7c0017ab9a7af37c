import type { Context } from "hono";
import { SessionEnded } from "../../../db/faults.ts";
import { listOwnApps, type Owner } from "../../../db/queries/apps.ts";
import { NAMES_SERVICE, NewAppBody } from "../../api/apps/input.ts";
import { change, register, remove, rotateSecret } from "../../api/apps/registration.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { Routes } from "../../lib/http/route.ts";
import { namesService } from "../../lib/text/look-alike.ts";
import { changedIn } from "../../ui/changed-fields.ts";
import { siteSessionHash } from "../../ui/cookies.ts";
import type { FormState } from "../../ui/form.tsx";
import { readOwnForm } from "../../ui/form-guard.ts";
import { siteName } from "../../ui/name.ts";
import { signInPath } from "../../ui/next.ts";
import { seeOther, showError } from "../../ui/page.tsx";
import { waitingIn } from "./handover.tsx";
import { deleting, editing, REGISTER, rotating, type Shown, showApps, showKey } from "./own-apps-page.tsx";

/** {auth_url}. Developers manage their apps here, without a script. */
export const ownAppsPages = new Routes({ renderError: signInOrError });

/** More apps than anybody has. The API pages through all of them. */
const SHOWN = 200;

ownAppsPages.page("/you/apps", (c) => {
  const asked = c.req.query();
  return show(c, { state: { values: asked, problems: {} }, waiting: waitingIn(asked) });
});

ownAppsPages.form("/you/apps", async (c) => {
  const sent = await readOwnForm(c, REGISTER);
  const waiting = waitingIn(sent);
  const given = NewAppBody.safeParse({ ...fieldsOf(sent), client_type: sent.client_type });
  const problems = given.success ? {} : problemsOf(given.error, sent);
  if (given.success && namesService(given.data.name, siteName(c.env))) Object.assign(problems, NAMED);
  if (!given.success || problems.name) return show(c, { state: { values: sent, problems }, waiting });
  return showKey(c, "App registered", await register(c, ownerOf(c), given.data), waiting);
});

const ONE = "/you/apps/:id";

ownAppsPages.form(ONE, async (c) => {
  const id = Number(c.req.param("id"));
  const sent = await readOwnForm(c, editing(id));
  const given = NewAppBody.safeParse(fieldsOf(sent));
  if (!given.success) {
    const problems = problemsOf(given.error, sent);
    return show(c, { state: { values: sent, problems }, edited: id });
  }
  const changes = changedIn(sent, given.data);
  const { name } = changes;
  if (name !== undefined && namesService(name, siteName(c.env)) && !(await hasName(c, id, name)))
    return show(c, { state: { values: sent, problems: NAMED }, edited: id });
  if (Object.keys(changes).length > 0) await change(c.var.db, ownerOf(c), id, changes);
  return seeOther(c, `/you/apps#app-${id}`);
});

ownAppsPages.form(`${ONE}/secret`, async (c) => {
  const id = Number(c.req.param("id"));
  await readOwnForm(c, rotating(id));
  return showKey(c, "New client secret", await rotateSecret(c, ownerOf(c), id));
});

ownAppsPages.form(`${ONE}/delete`, async (c) => {
  const id = Number(c.req.param("id"));
  await readOwnForm(c, deleting(id));
  await remove(c.var.db, ownerOf(c), id);
  return seeOther(c, "/you/apps");
});

/** Sends a signed-out user to sign-in and back, with what a link filled in. */
function signInOrError(error: unknown, c: Context<AppEnv>): Response {
  if (!(error instanceof SessionEnded)) return showError(error, c);
  const { pathname, search } = new URL(c.req.url);
  return seeOther(c, signInPath(c.req.method === "GET" ? pathname + search : "/you/apps"));
}

async function show(c: Context<AppEnv>, more: Omit<Shown, "plan" | "apps">): Promise<Response> {
  const found = await listOwnApps(c.var.db, ownerOf(c), Number.MAX_SAFE_INTEGER, SHOWN);
  return showApps(c, { ...found, ...more });
}

const NAMED: FormState["problems"] = { name: NAMES_SERVICE };

/** An app keeps a name that the service reserved later. */
async function hasName(c: Context<AppEnv>, id: number, name: string): Promise<boolean> {
  const { apps } = await listOwnApps(c.var.db, ownerOf(c), Number.MAX_SAFE_INTEGER, SHOWN);
  return apps.some((app) => app.id === id && app.name === name);
}

/** Without a cookie the hash is "", which no session has. */
const ownerOf = (c: Context<AppEnv>): Owner => ({ siteSessionHash: siteSessionHash(c) ?? "" });

const fieldsOf = (sent: Record<string, string>) => ({
  name: sent.name ?? "",
  external_url: sent.external_url?.trim() || null,
  redirect_uris: linesOf(sent.redirect_uris ?? ""),
});

const linesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

function problemsOf(
  error: { issues: { path: PropertyKey[]; message: string }[] },
  sent: Record<string, string>,
): FormState["problems"] {
  const problems: FormState["problems"] = {};
  for (const { path, message } of error.issues) {
    const [field, line] = path;
    const uri = typeof line === "number" ? `${linesOf(sent.redirect_uris ?? "")[line]}: ` : "";
    problems[String(field)] ??= `${uri}${message}`;
  }
  return problems;
}
