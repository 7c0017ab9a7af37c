import type { IncomingMessage, ServerResponse } from "node:http";
import { type Mailbox, NewMail } from "./mailbox.ts";

/** Bytes. Far beyond any mail that we write. */
const MAX_MAIL_BYTES = 1024 * 1024;

/**
 * `POST /messages`: where the Worker posts its mails. `false` when the request is another.
 * For a port that nobody outside can reach: whoever can post here can put words into our mouth.
 */
export function mailReceiver(mailbox: Mailbox) {
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
    if (body === "too large") return send(413, { error: "A mail has at most 1 MiB" });
    const mail = NewMail.safeParse(body);
    if (!mail.success) return send(422, { error: mail.error.message });
    return send(201, { id: (await mailbox.add(mail.data)).id });
  };
}

/** `undefined` when it is not JSON. Read to its end in any case, so that the sender gets to see the reply. */
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
