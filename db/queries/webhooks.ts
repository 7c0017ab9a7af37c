import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { type Caller, callAs } from "./caller.ts";

export const WebhookRow = () =>
  z.strictObject({
    id: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
    app_id: z.number(),
    url: z.string(),
    events: z.array(z.string()),
    enabled: z.boolean(),
    /** Null where it is enabled, or its user disabled it. */
    disabled_reason: z.enum(["failing", "gone", "access_ended"]).nullable(),
    /** Null where the last attempt succeeded, or there was none. */
    failing_since: z.string().nullable(),
    /** Null where only one secret signs. */
    previous_secret_expires_at: z.string().nullable(),
  });
export type WebhookRow = Told<typeof WebhookRow>;

/** What its user writes. */
export interface WebhookFields {
  url: string;
  events: string[];
  enabled: boolean;
}

/** Where it leads, as targets are told apart and counted. */
export interface Target {
  target_hash: string;
  target_host: string;
}

/** `standing` goes there already. */
const TargetTaken = () =>
  z.strictObject({
    outcome: z.literal("target_taken"),
    standing: z.number(),
  });

const Written = () =>
  z.union([
    z.strictObject({
      outcome: z.literal("done"),
      webhook: WebhookRow(),
    }),
    TargetTaken(),
  ]);

/** Null: it does not exist, or is another user's or another app's. */
const Found = () =>
  z.strictObject({
    webhook: WebhookRow().nullable(),
  });

/** Newest first, below `before`. */
export const listWebhooks = (db: Database, caller: Caller, before: number, limit: number) =>
  callAs(
    db,
    "list_webhooks",
    () =>
      z.strictObject({
        webhooks: z.array(WebhookRow()),
      }),
    caller,
    { before, limit },
  );

export const findWebhook = (db: Database, caller: Caller, id: number) =>
  callAs(db, "find_webhook", Found, caller, { id });

/** How many a user may have by one app, and by all. */
export interface MostWebhooks {
  byApp: number;
  inAll: number;
}

export const createWebhook = (
  db: Database,
  caller: Caller,
  webhook: WebhookFields & Target,
  sealedSecret: Uint8Array,
  most: MostWebhooks,
) =>
  callAs(
    db,
    "create_webhook",
    () =>
      z.union([
        Written(),
        z.strictObject({
          outcome: z.enum(["too_many", "too_many_in_all"]),
        }),
      ]),
    caller,
    { webhook, secret: sealedSecret, most: most.byApp, most_in_all: most.inAll },
  );

export type WebhookChanges = { [Field in keyof WebhookFields]?: WebhookFields[Field] | undefined };

/** What is left out stays; with a `url` comes its target. */
export const updateWebhook = (
  db: Database,
  caller: Caller,
  id: number,
  changes: WebhookChanges & Partial<Target>,
) =>
  callAs(
    db,
    "update_webhook",
    () =>
      z.union([
        Written(),
        z.strictObject({
          outcome: z.literal("unknown"),
        }),
      ]),
    caller,
    { id, changes },
  );

/** The secret until now signs too for `overlapS`; one before it no longer. */
export const rotateWebhookSecret = (
  db: Database,
  caller: Caller,
  id: number,
  sealedSecret: Uint8Array,
  overlapS: number,
) => callAs(db, "rotate_webhook_secret", Found, caller, { id, secret: sealedSecret, overlap_s: overlapS });

/** With its log. */
export const deleteWebhook = (db: Database, caller: Caller, id: number) =>
  callAs(
    db,
    "delete_webhook",
    () =>
      z.strictObject({
        found: z.boolean(),
      }),
    caller,
    { id },
  );
