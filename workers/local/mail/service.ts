import { createServer, type IncomingMessage } from "node:http";
import { listenForWorker } from "../worker/loopback.ts";
import { type NewMail, openMailbox } from "./mailbox.ts";
import { mailPages } from "./pages.ts";
import { mailReceiver } from "./receiver.ts";
import { openSmtp, type Refusal } from "./smtp.ts";

/**
 * The mails hold sign-in links. Checking the host keeps out foreign names that resolve to this machine; names below
 * `localhost` are nobody else's (RFC 6761).
 */
const isForUs = ({ headers }: IncomingMessage) =>
  /^(([\w-]+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(headers.host ?? "");

/**
 * Stands in for the platform's e-mail binding: hands mails to a mail server, or keeps them for the pages, which the
 * front serves. The Worker posts mail to a separate port, which is not published.
 */
export async function startMail(directory: string, smtp?: URL) {
  const mailbox = openMailbox(directory);
  const keep = (mail: NewMail): Promise<Refusal | undefined> =>
    mailbox.add(mail).then(
      () => undefined,
      // The disk is full, perhaps.
      ({ message }: Error) => ({ error: message, permanent: false }),
    );
  const receive = mailReceiver(smtp ? openSmtp(smtp) : keep);
  const server = createServer(async (request, response) => {
    const taken = await receive(request, response).catch(() => false);
    if (!taken && !response.headersSent) response.writeHead(404).end();
  });
  const port = await listenForWorker(server);
  const pages = mailPages(mailbox);
  return {
    port,
    pages: (...[request, response]: Parameters<typeof pages>) =>
      !smtp && isForUs(request) && pages(request, response),
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
