import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mailbox } from "./mailbox.ts";
import { mailListPage, mailMissingPage, mailPage } from "./page.ts";

/** The mails hold sign-in links: no script, frame, cache or referrer may leak them. */
const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** Serves `GET /dev/mail`, `/dev/mail/{id}` and `/dev/mail.json?to=`. Returns `false` for other paths. */
export function mailPages(mailbox: Mailbox) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    // Resolving `///` against a base throws.
    const { pathname, searchParams } = new URL(`http://localhost${request.url}`);
    const id = /^\/dev\/mail\/([^/]+)$/.exec(pathname)?.[1];
    const isPage = pathname === "/dev/mail" || pathname === "/dev/mail.json" || id !== undefined;
    if (!isPage) return false;

    const send = (status: number, type: string, body: string) => {
      response.writeHead(status, {
        ...HEADERS,
        "Content-Type": type,
        "Content-Length": Buffer.byteLength(body),
      });
      response.end(request.method === "HEAD" ? undefined : body);
      return true;
    };
    const html = (status: number, body: string) => send(status, "text/html; charset=utf-8", body);

    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      return send(405, "text/plain; charset=utf-8", "Only GET\n");
    }
    if (id !== undefined) {
      const mail = mailbox.find(id);
      return mail ? html(200, mailPage(mail)) : html(404, mailMissingPage());
    }
    const mails = mailbox.list();
    if (pathname === "/dev/mail") return html(200, mailListPage(mails));
    const to = searchParams.get("to")?.toLowerCase();
    const chosen = to === undefined ? mails : mails.filter((mail) => mail.to.toLowerCase() === to);
    return send(200, "application/json; charset=utf-8", JSON.stringify(chosen, null, 2));
  };
}
