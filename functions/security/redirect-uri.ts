const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
const MAX_LENGTH = 2000;

/**
 * RFC 8252 §7.1 and §8.4: a private-use scheme is a domain name in reverse order. Every scheme that a system or browser acts
 * on itself is one word, such as `search-ms:`; those below `microsoft.` belong to Windows.
 */
const REVERSE_DOMAIN = /^(?!microsoft\.)[a-z]{2,}(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+:$/;

/**
 * Why a browser may not be sent to an address, or `undefined` where it may. Addresses that are registered and addresses that
 * are asked for go through this alike. RFC 8252 §7, RFC 9700 §2.1.
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `may have ${MAX_LENGTH} characters at most`;
  // Printable ASCII only: what a browser would strip or rewrite must not pass a comparison byte for byte.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes("\\")) return "holds a character that is not allowed";
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return "is not an absolute URI";
  if (!URL.canParse(uri)) return "is not a valid address: check its host and its port";
  const { protocol, host, hostname, username, password } = new URL(uri);
  if (uri.includes("#")) return "must not have a fragment";
  if (username || password) return "must not hold credentials";
  // Characters such as ; and , would end a policy's source where the host stands in one.
  if (!/^[a-z0-9._:[\]-]*$/i.test(host)) return "has a host that is not a host name";
  if (uri.includes("*")) return "must not hold wildcards";
  if (protocol === "https:") return undefined;
  if (protocol === "http:")
    return LOOPBACK.has(hostname) ? undefined : "http is for loopback addresses only; use https";
  if (REVERSE_DOMAIN.test(protocol)) return undefined;
  return `the scheme ${protocol} is not allowed: an app's own scheme is a domain name in reverse order, such as com.example.app:`;
}
