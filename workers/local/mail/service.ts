import { createInnerServer, listenForWorker } from "../worker/loopback.ts";
import { type NewMail, openMailbox } from "./mailbox.ts";
import { mailPages } from "./pages.ts";
import { mailReceiver } from "./receiver.ts";
import { openSmtp, type Refusal } from "./smtp.ts";

/**
 * Stands in for the platform's e-mail binding: hands mails to a mail server, or keeps them for the pages, which the
 * front serves. The Worker posts mail to an inner server.
 */
export async function startMail(directory: string, secret: string, smtp?: URL) {
  const mailbox = openMailbox(directory);
  const keep = (mail: NewMail): Promise<Refusal | undefined> =>
    mailbox.add(mail).then(
      () => undefined,
      // The disk may be full.
      ({ message }: Error) => ({ error: message, permanent: false }),
    );
  const receive = mailReceiver(smtp ? openSmtp(smtp) : keep);
  const server = createInnerServer(secret, async (request, response) => {
    const taken = await receive(request, response).catch(() => false);
    if (!taken && !response.headersSent) response.writeHead(404).end();
  });
  const port = await listenForWorker(server);
  const pages = mailPages(mailbox);
  return {
    port,
    pages: (...[request, response]: Parameters<typeof pages>) => !smtp && pages(request, response),
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
