/** Schemes that a browser would act on itself, or that leave no application to return to. */
const DENIED = new Set(
  "javascript data vbscript file mailto blob about view-source ws wss ftp chrome intent"
    .split(" ")
    .map((name) => `${name}:`),
);

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
const MAX_LENGTH = 2000;

/** Why a redirect URI cannot be registered, or `undefined` where it can. RFC 8252 §7, RFC 9700 §2.1. */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `may have ${MAX_LENGTH} characters at most`;
  // Printable ASCII only: what a browser would strip or rewrite must not pass a comparison byte for byte.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes("\\")) return "holds a character that is not allowed";
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri) || !URL.canParse(uri)) return "is not an absolute URI";
  const { protocol, host, hostname, username, password } = new URL(uri);
  if (DENIED.has(protocol)) return `the scheme ${protocol} is not allowed`;
  if (uri.includes("#")) return "must not have a fragment";
  if (username || password) return "must not hold credentials";
  // Characters such as ; and , would end a policy's source where the host stands in one.
  if (!/^[a-z0-9._:[\]-]*$/i.test(host)) return "has a host that is not a host name";
  if (uri.includes("*")) return "must not hold wildcards";
  if (protocol === "http:" && !LOOPBACK.has(hostname))
    return "http is for loopback addresses only; use https";
  return undefined;
}
