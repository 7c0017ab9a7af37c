import { createTransport } from "nodemailer";
import type { NewMail } from "./mailbox.ts";

/** Milliseconds. Usually sending ends before the Worker, after 25 s, takes the mail for unsent. */
const CONNECT_MS = 7_000;
const SILENCE_MS = 10_000;

/**
 * Commands whose refusal concerns only this mail. Refusals of others concern the server or its settings, and may be
 * temporary.
 */
const ABOUT_THE_MAIL = ["RCPT TO", "DATA"];

export interface Refusal {
  /** The server's words. */
  error: string;
  /** Another attempt would end the same way. */
  permanent: boolean;
}

/** Reads `SMTP_URL`, or adds its faults to `problems`. */
export function readSmtpUrl(text: string | undefined, problems: string[]): URL | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname)
    problems.push("SMTP_URL must be an address such as smtp://user:password@mail.example.com:587");
  else if (url.search || url.hash || !["", "/"].includes(url.pathname))
    problems.push("SMTP_URL must end after host and port");
  else return url;
  return undefined;
}

const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

/**
 * Hands mails to a mail server. `smtps` speaks TLS from the start, `smtp` once the server offers it. A password
 * crosses a network only by TLS.
 */
export function openSmtp(url: URL) {
  const user = decodeURIComponent(url.username);
  const secure = url.protocol === "smtps:";
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: user !== "" && !isLoopback(url.hostname),
    // A server on this machine has no certificate for that name.
    ignoreTLS: !secure && isLoopback(url.hostname),
    ...(user && { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: CONNECT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  /** Returns the refusal if the server did not take the mail. */
  return async ({ id, headers: own, ...mail }: NewMail): Promise<Refusal | undefined> => {
    const [, host = "localhost"] = /@([^>\s]+)/.exec(mail.from) ?? [];
    // Equal for each attempt, so that a mail sent twice can be recognized. Automatic replies do not answer it.
    const messageId = id && { messageId: `<${id}@${host}>` };
    const headers = { "Auto-Submitted": "auto-generated", ...own };
    try {
      await transport.sendMail({ ...mail, ...messageId, headers });
      return undefined;
    } catch (error) {
      return refusalOf(error);
    }
  };
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { error: String(error), permanent: false };
  const { responseCode = 0, command = "" } = error as Error & { responseCode?: number; command?: string };
  const permanent = responseCode >= 500 && ABOUT_THE_MAIL.includes(command);
  return { error: error.message, permanent };
}
