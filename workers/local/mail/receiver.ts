import type { IncomingMessage, ServerResponse } from "node:http";
import { NewMail } from "./mailbox.ts";
import type { Refusal } from "./smtp.ts";

/** Bytes. Our mails are far smaller. */
const MAX_MAIL_BYTES = 1024 * 1024;

/**
 * Accepts the Worker's mails at `POST /messages`, as the platform's e-mail binding does, and returns `false` for other
 * requests. Its callers write mail in our name.
 */
export function mailReceiver(deliver: (mail: NewMail) => Promise<Refusal | undefined>) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    if (request.method !== "POST" || request.url?.split("?")[0] !== "/messages") return false;
    const send = (status: number, body: object) => {
      const json = JSON.stringify(body);
      response.writeHead(status, {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(json),
      });
      response.end(json);
      return true;
    };
    const body = await readJson(request);
    if (body === "too large") return send(413, { error: "A mail has at most 1 MiB", permanent: true });
    const mail = NewMail.safeParse(body);
    if (!mail.success) return send(422, { error: mail.error.message, permanent: true });
    const refusal = await deliver(mail.data);
    return refusal ? send(502, refusal) : send(201, {});
  };
}

/** Returns `undefined` for bodies that are not JSON. Reads to the end, so that the sender sees the reply. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_MAIL_BYTES) chunks.push(chunk);
  }
  if (size > MAX_MAIL_BYTES) return "too large";
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}
