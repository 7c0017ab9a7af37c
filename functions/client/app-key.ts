import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { randomSecret } from "./pkce.ts";

export interface AppKey {
  client_id: string;
  /** A public app has none. */
  client_secret?: string;
}

/** Names the address to which the browser brings the key, and the proof that the browser is ours. */
export interface Handover {
  return_to: string;
  state: string;
}

/** Characters of the form. */
const MAX_FORM = 4_000;

/** Waits on a free port of this device for the form with the new key. `open` shows its page to the user. */
export async function receiveKey(open: (handover: Handover) => void): Promise<AppKey> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.on("error", reject).listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state = randomSecret();
  try {
    return await new Promise<AppKey>((resolve, reject) => {
      server.on("request", async (request, reply) => {
        const form = await readForm(request, host).catch(() => undefined);
        if (form?.state !== state)
          return answer(reply, 403, "This is not the page that the terminal opened.");
        const { client_id, client_secret, error } = form;
        await answer(reply, 200, "Your terminal goes on. You may close this page.");
        if (client_id) resolve({ client_id, ...(client_secret && { client_secret }) });
        else reject(new Error(error ?? "The page sent no key"));
      });
      open({ return_to: `http://${host}/`, state });
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Another host name is a page whose name was made to lead here: DNS rebinding. */
async function readForm(request: IncomingMessage, host: string): Promise<Record<string, string> | undefined> {
  if (request.method !== "POST" || request.headers.host !== host) return undefined;
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MAX_FORM) return undefined;
  }
  return Object.fromEntries(new URLSearchParams(text));
}

function answer(reply: ServerResponse, status: number, words: string): Promise<void> {
  reply.writeHead(status, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" });
  const page = `<!doctype html><title>${words}</title><h1>${words}</h1>`;
  return new Promise((sent) => reply.on("close", sent).end(page, sent));
}
