import { and, desc, eq, lt, sql } from "drizzle-orm";
import * as z from "zod";
import { bytea } from "../bytea.ts";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { apps } from "../schema/people.ts";
import { webhooks } from "../schema/webhooks.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import {
  type Caller,
  callAs,
  callAtLengthAs,
  callersId,
  createdAt,
  firstRow,
  moment,
  type SignedIn,
  signedIn,
} from "./caller.ts";

export const WebhookRow = () =>
  rowOf(webhooks)
    .omit({
      user_id: true,
      token_id: true,
      target_hash: true,
      target_host: true,
      secret_sealed: true,
      previous_secret_sealed: true,
      slow: true,
    })
    .extend({
      created_at: z.string(),
      /** Null if only one secret signs. */
      previous_secret_expires_at: z.string().nullable(),
    });
export type WebhookRow = ReplyOf<typeof WebhookRow>;

/** Fields that the user writes. */
export interface WebhookFields {
  url: string;
  events: string[];
  enabled: boolean;
}

/** Target of a webhook, for uniqueness and budgets. */
export interface Target {
  target_hash: string;
  target_host: string;
}

/** `standing` is the webhook with the same target. */
const TargetTaken = () =>
  z.strictObject({
    outcome: z.literal("target_taken"),
    standing: z.number(),
  });

const Updated = () => changeOf(z.literal("unknown"), { webhook: WebhookRow() });

export const webhookColumns = {
  id: webhooks.id,
  created_at: createdAt(webhooks.id),
  updated_at: moment(webhooks.updatedAt),
  app_id: webhooks.appId,
  url: webhooks.url,
  events: webhooks.events,
  enabled: webhooks.enabled,
  disabled_reason: webhooks.disabledReason,
  failing_since: moment<string | null>(webhooks.failingSince),
  previous_secret_expires_at: moment<string | null>(
    sql`case when ${webhooks.previousSecretExpiresAt} > now() then ${webhooks.previousSecretExpiresAt} end`,
  ),
};

/** Matches webhooks of an app and a user together: the user's other apps neither see nor change them. */
export const belongTo = (user: SignedIn) =>
  and(
    signedIn(user),
    eq(webhooks.userId, user.userId),
    eq(webhooks.appId, sql`(select ${apps.id} from ${apps} where ${apps.clientId} = ${user.clientId})`),
  );

/** Lists webhooks below `before`, newest first. */
export const listWebhooks = (db: Database, user: SignedIn, before: number, limit: number) =>
  db.read((on) =>
    on
      .select(webhookColumns)
      .from(webhooks)
      .where(and(belongTo(user), lt(webhooks.id, before)))
      .orderBy(desc(webhooks.id))
      .limit(limit),
  );

/** Lists webhooks of the calling app, and those of the user's other apps, which their apps alone change. */
export async function listSiteWebhooks(db: Database, user: SignedIn) {
  const rows = await db.read((on) =>
    on
      .select({ webhook: webhookColumns, host: webhooks.targetHost, app: apps.name, client: apps.clientId })
      .from(webhooks)
      .innerJoin(apps, eq(apps.id, webhooks.appId))
      .where(and(signedIn(user), eq(webhooks.userId, user.userId)))
      .orderBy(desc(webhooks.id)),
  );
  const isOwn = ({ client }: { client: string }) => client === user.clientId;
  return {
    own: rows.filter(isOwn).map(({ webhook }) => webhook),
    // The rest of the URL may be the app's secret.
    others: rows
      .filter((row) => !isOwn(row))
      .map(({ webhook: { events, enabled }, app, host }) => ({ app, host, events, enabled })),
  };
}

export type SiteWebhooks = Awaited<ReturnType<typeof listSiteWebhooks>>;

export const findWebhook = (db: Database, user: SignedIn, id: number) =>
  db
    .read((on) =>
      on
        .select(webhookColumns)
        .from(webhooks)
        .where(and(belongTo(user), eq(webhooks.id, id))),
    )
    .then(firstRow);

/** Limits of a user's webhooks, by one app and in total. */
interface WebhookLimits {
  byApp: number;
  inAll: number;
}

export const createWebhook = (
  db: Database,
  caller: Caller,
  webhook: WebhookFields & Target,
  sealedSecret: Uint8Array,
  most: WebhookLimits,
) =>
  callAs(
    db,
    "create_webhook",
    () =>
      z.union([changeOf(z.enum(["too_many", "too_many_in_all"]), { webhook: WebhookRow() }), TargetTaken()]),
    caller,
    { webhook, secret: sealedSecret, most: most.byApp, most_in_all: most.inAll },
  );

export type WebhookChanges = { [Field in keyof WebhookFields]?: WebhookFields[Field] | undefined };

/** Omitted fields stay unchanged. A `url` comes with its target. Disabling it fails all its deliveries that wait. */
export const updateWebhook = (
  db: Database,
  caller: Caller,
  id: number,
  changes: WebhookChanges & Partial<Target>,
) =>
  (changes.enabled === false ? callAtLengthAs : callAs)(
    db,
    "update_webhook",
    () => z.union([Updated(), TargetTaken()]),
    caller,
    { id, changes },
  );

/** Replaces the secret. The previous one signs too for `overlapS`; any older one does not. */
export function rotateWebhookSecret(
  db: Database,
  caller: Caller,
  id: number,
  sealedSecret: Uint8Array,
  overlapS: number,
) {
  const changes = { secret_sealed: bytea(sealedSecret), overlap_s: overlapS };
  return callAs(db, "update_webhook", Updated, caller, { id, changes });
}

/** Deletes a webhook with its log, which may have a million entries. False if there is none. */
export const deleteWebhook = (db: Database, user: SignedIn, id: number) =>
  db.callAtLength("delete_webhook", () => z.boolean(), { owner: callersId(user), by: user.clientId, id });
