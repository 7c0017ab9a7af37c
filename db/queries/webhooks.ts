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

/** Null: it does not exist, or is another user's. */
type Found = { webhook: WebhookRow | null };

/** Newest first, below `before`. */
export const listWebhooks = (db: Database, caller: Caller, before: number, limit: number) =>
  callAs<{ webhooks: WebhookRow[] }>(db, "list_webhooks_v1", caller, before, limit);

export const findWebhook = (db: Database, caller: Caller, id: number) =>
  callAs<Found>(db, "find_webhook_v1", caller, id);

/** `webhook` is null where the user has `most` already. */
export const createWebhook = (
  db: Database,
  caller: Caller,
  webhook: WebhookFields,
  sealedSecret: Uint8Array,
  most: number,
) => callAs<Found>(db, "create_webhook_v1", caller, JSON.stringify(webhook), bytea(sealedSecret), most);

/** What is left out stays. */
export const updateWebhook = (
  db: Database,
  caller: Caller,
  id: number,
  changes: { [Field in keyof WebhookFields]?: WebhookFields[Field] | undefined },
) => callAs<Found>(db, "update_webhook_v1", caller, id, JSON.stringify(changes));

/** The secret until now signs too for `overlapS`; one before it no longer. */
export const rotateWebhookSecret = (
  db: Database,
  caller: Caller,
  id: number,
  sealedSecret: Uint8Array,
  overlapS: number,
) => callAs<Found>(db, "rotate_webhook_secret_v1", caller, id, bytea(sealedSecret), overlapS);

/** With its log. */
export const deleteWebhook = (db: Database, caller: Caller, id: number) =>
  callAs<{ found: boolean }>(db, "delete_webhook_v1", caller, id);
