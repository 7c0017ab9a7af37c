import type { Context } from "hono";
import type { Database } from "../../../db/client.ts";
import {
  deleteApp,
  type OwnAppRow,
  type Owner,
  registerApp,
  rotateAppSecret,
  updateApp,
  whyUnmanaged,
} from "../../../db/queries/apps.ts";
import type { AppEnv, Env } from "../../lib/http/env.ts";
import { conflict, forbidden, notFound } from "../../lib/http/errors.ts";
import { shownOnce } from "../../lib/http/idempotency.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { hashSecret, newSecret, randomBase62 } from "../../lib/security/random.ts";
import { romanized } from "../../lib/text/permalink.ts";
import type { NewAppBody } from "./input.ts";

const CLIENT_ID_LENGTH = 32;

export const newClientId = (): string => randomBase62(CLIENT_ID_LENGTH);

/** Seconds in which both secrets work: time to deploy the new one to every server. */
const SECRET_OVERLAP_S = 7 * 24 * 3600;

/** Holds the only copy of the secret: just its hash is stored. A public app has none. */
export interface Registered<Secret = string | undefined> {
  app: OwnAppRow;
  secret: Secret;
}

export const appsNeedPlan = (env: Pick<Env, "APPS_NEED_PLAN">): boolean => env.APPS_NEED_PLAN !== "off";

type Asking = Pick<Context<AppEnv>, "env" | "var" | "header">;

export async function register(c: Asking, owner: Owner, given: NewAppBody): Promise<Registered> {
  const secret = given.client_type === "public" ? undefined : shownOnce(c, newSecret("cs"));
  const asked = await registerApp(c.var.db, owner, {
    clientId: newClientId(),
    secretHash: secret ? hashSecret(secret.text) : null,
    name: given.name,
    permalink: await appPermalink(given.name),
    suffix: randomBase62(6).toLowerCase(),
    externalUrl: given.external_url ?? null,
    redirectUris: given.redirect_uris,
    needsPlan: appsNeedPlan(c.env),
    budget: budgetOf(c.env, "app-registrations"),
  });
  const found = settleBudget(c, "app-registrations", asked);
  if (found.outcome === "free_plan")
    return forbidden("Registering an app needs a paid plan: artist or artist-pro", "plan-needed");
  return { app: found.app, secret: secret?.text };
}

export async function rotateSecret(c: Asking, owner: Owner, id: number): Promise<Registered<string>> {
  const secret = shownOnce(c, newSecret("cs"));
  const rotation = { secretHash: hashSecret(secret.text), overlapS: SECRET_OVERLAP_S };
  const rotated = await rotateAppSecret(c.var.db, owner, id, rotation);
  if (rotated.outcome === "public") return conflict("A public app has no secret");
  if (rotated.outcome !== "done") return refuse(c.var.db, owner, id);
  return { app: rotated.app, secret: secret.text };
}

/** Omitted fields stay unchanged; at least one is required. A client's type stays: its tokens were issued for it. */
export async function change(
  db: Database,
  owner: Owner,
  id: number,
  { name, external_url: externalUrl, redirect_uris: redirectUris }: Partial<NewAppBody>,
): Promise<void> {
  const changed = await updateApp(db, owner, id, { name, externalUrl, redirectUris });
  if (!changed) await refuse(db, owner, id);
}

export async function remove(db: Database, owner: Owner, id: number): Promise<void> {
  if (!(await deleteApp(db, owner, id))) await refuse(db, owner, id);
}

/** An app may manage only itself and the apps that it registered, as in RFC 7592. */
const refuse = async (db: Database, owner: Owner, id: number): Promise<never> =>
  (await whyUnmanaged(db, owner, id)) === "unknown"
    ? notFound("App")
    : forbidden(
        "With a token, an app manages only itself and the apps it registered; manage others at /you/apps",
      );

/** Never only digits, which would look like an id. */
export async function appPermalink(name: string): Promise<string> {
  const words = await romanized(name);
  return /[a-z]/.test(words) ? words : `app-${words || randomBase62(8).toLowerCase()}`;
}
