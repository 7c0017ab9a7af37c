import * as z from "zod";
import { isHandledElsewhere } from "./handled-schemes.ts";

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
const MAX_REDIRECT_URI_CHARS = 2000;

/**
 * Returns why a browser must not be redirected there, or `undefined`. Registered and requested addresses pass
 * the same check. RFC 8252 §7, RFC 9700 §2.1
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > MAX_REDIRECT_URI_CHARS) return `may have ${MAX_REDIRECT_URI_CHARS} characters at most`;
  // Browsers strip or rewrite other characters, so such an address must not pass a comparison of bytes.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes("\\")) return "holds a character that is not allowed";
  // On our pages, browsers resolve `https:client.example` as a relative path.
  if (!/^(?:https?:\/\/[^/]|(?!https?:)[a-z][a-z0-9+.-]*:)/i.test(uri)) return "is not an absolute URI";
  if (!URL.canParse(uri)) return "is not a valid address: check its host and its port";
  const { protocol, host, hostname, username, password } = new URL(uri);
  if (uri.includes("#")) return "must not have a fragment";
  if (username || password) return "must not hold credentials";
  // Characters such as ; and , would end the source that names the host in a policy.
  if (!/^[a-z0-9._:[\]-]*$/i.test(host)) return "has a host that is not a host name";
  if (uri.includes("*")) return "must not hold wildcards";
  if (protocol === "https:") return undefined;
  if (protocol === "http:")
    return LOOPBACK.has(hostname) ? undefined : "http is for loopback addresses only; use https";
  return isHandledElsewhere(protocol.slice(0, -1))
    ? `the scheme ${protocol} is not allowed: other programs act on it; an app's own is best a domain name in reverse order, such as com.example.app:`
    : undefined;
}

/** Only browsers open this address. Schemes that run code or reach local networks are refused. */
export const RedirectUri = z
  .string()
  .superRefine((uri, context) => {
    const problem = redirectUriProblem(uri);
    if (problem) context.addIssue({ code: "custom", message: problem });
  })
  .meta({ maxLength: MAX_REDIRECT_URI_CHARS });
