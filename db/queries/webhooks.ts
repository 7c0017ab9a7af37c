import type { Database } from "../client.ts";
import { bytea, type Caller, callAs } from "./caller.ts";

export interface WebhookRow {
  id: number;
  created_at: string;
  updated_at: string;
  app_id: number;
  url: string;
  events: string[];
  enabled: boolean;
  /** Null where it is enabled, or its user disabled it. */
  disabled_reason: "failing" | "gone" | "access_ended" | null;
  /** Null where the last attempt succeeded, or there was none. */
  failing_since: string | null;
  /** Null where only one secret signs. */
  previous_secret_expires_at: string | null;
}

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
type TargetTaken = { outcome: "target_taken"; standing: number };

type Written = { outcome: "done"; webhook: WebhookRow } | TargetTaken;

/** Null: it does not exist, or is another user's or another app's. */
type Found = { webhook: WebhookRow | null };

/** Newest first, below `before`. */
export const listWebhooks = (db: Database, caller: Caller, before: number, limit: number) =>
  callAs<{ webhooks: WebhookRow[] }>(db, "list_webhooks", caller, before, limit);

export const findWebhook = (db: Database, caller: Caller, id: number) =>
  callAs<Found>(db, "find_webhook", caller, id);

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
  callAs<Written | { outcome: "too_many" | "too_many_in_all" }>(
    db,
    "create_webhook",
    caller,
    JSON.stringify(webhook),
    bytea(sealedSecret),
    most.byApp,
    most.inAll,
  );

export type WebhookChanges = { [Field in keyof WebhookFields]?: WebhookFields[Field] | undefined };

/** What is left out stays; with a `url` comes its target. */
export const updateWebhook = (
  db: Database,
  caller: Caller,
  id: number,
  changes: WebhookChanges & Partial<Target>,
) => callAs<Written | { outcome: "unknown" }>(db, "update_webhook", caller, id, JSON.stringify(changes));

/** The secret until now signs too for `overlapS`; one before it no longer. */
export const rotateWebhookSecret = (
  db: Database,
  caller: Caller,
  id: number,
  sealedSecret: Uint8Array,
  overlapS: number,
) => callAs<Found>(db, "rotate_webhook_secret", caller, id, bytea(sealedSecret), overlapS);

/** With its log. */
export const deleteWebhook = (db: Database, caller: Caller, id: number) =>
  callAs<{ found: boolean }>(db, "delete_webhook", caller, id);
