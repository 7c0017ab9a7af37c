import { createHmac, randomBytes } from "node:crypto";

/** Signs by github.com/standard-webhooks/standard-webhooks, 1.0.0, with a shared secret. */

const PREFIX = "whsec_";

/** Bytes. The specification allows 24 to 64. */
const SECRET_BYTES = 32;

export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

interface WebhookMessage {
  /** The same for each attempt, so that receivers recognize a repetition. */
  id: string;
  sentAt: Date;
  body: string;
}

/** Makes one signature per secret: during a rotation, receivers may hold either. */
export function signedHeaders(
  secrets: readonly string[],
  { id, sentAt, body }: WebhookMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
