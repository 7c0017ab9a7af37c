import { SoundpostError } from "./errors.ts";
import type { WebhookEvent } from "./types.ts";

export type { WebhookEvent } from "./types.ts";

const PREFIX = "whsec_";
/** Seconds between the signature and now, either way. An older delivery may be a replay. */
const TOLERANCE_S = 300;

/** Base64 of 32 bytes. */
const DIGEST = /^[A-Za-z0-9+/]{43}=$/;

/** The delivery is forged, altered or too old. Answer 400. */
export class WebhookError extends SoundpostError {
  override name = "WebhookError";
}

export interface Delivery {
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The raw bytes, before any parsing. */
  body: string | Uint8Array;
}

/** Returns the event of a delivery that was signed with one of the secrets (Standard Webhooks 1.0.0). */
export async function verifyWebhook(
  { headers, body }: Delivery,
  secrets: string | string[],
  { now = new Date() }: { now?: Date } = {},
): Promise<WebhookEvent> {
  const header = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  const [id, sentAt] = [header("webhook-id"), header("webhook-timestamp")];
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const age = now.getTime() / 1000 - Number(sentAt);
  if (!id || !sentAt || !(Math.abs(age) <= TOLERANCE_S))
    throw new WebhookError("The timestamp is missing or too far from now");
  const signatures = header("webhook-signature").split(" ");
  for (const secret of [secrets].flat())
    if (await isSignedWith(secret, `${id}.${sentAt}.${text}`, signatures)) return JSON.parse(text);
  throw new WebhookError("No signature fits");
}

async function isSignedWith(secret: string, content: string, signatures: string[]): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const raw = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["verify"]);
  for (const signature of signatures) {
    const [version, value = ""] = signature.split(",");
    if (version !== "v1" || !DIGEST.test(value)) continue;
    if (await crypto.subtle.verify("HMAC", key, bytesOf(value), new TextEncoder().encode(content)))
      return true;
  }
  return false;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
