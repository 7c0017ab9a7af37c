/** RFC 8252 §7.3: an app chooses the port of a loopback address at run time, regardless of the registered one. */
const LOOPBACK_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/;

/** Two URIs match if the results are equal byte for byte. `decide_authorization` compares the same way. */
export const withoutPort = (uri: string): string => uri.replace(LOOPBACK_PORT, "$1");

const LOOPBACK_HOST = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d*)?(?=[/?]|$)/;

/** Suggests the registered address with the same path, because loopback names are easily confused. */
export function loopbackAdvice(asked: string, registered: string[]): string {
  if (!LOOPBACK_HOST.test(asked)) return "";
  const path = asked.replace(LOOPBACK_HOST, "");
  const meant = registered.find((uri) => LOOPBACK_HOST.test(uri) && uri.replace(LOOPBACK_HOST, "") === path);
  if (meant === undefined) return "";
  const anyPort = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=[:/?]|$)/.test(meant);
  return `; ${meant} is, ${anyPort ? "with any port" : "with exactly this port"}: hosts are compared as text`;
}

/**
 * The source for `form-action`: a scheme, not an origin. Browsers check every further redirect too, and apps
 * redirect on from their callback. `http:` allows https.
 */
export const formActionFor = (redirectUri: string): string => new URL(redirectUri).protocol;

/** Names the next destination on the consent page. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (/^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?=[:/?]|$)/.test(redirectUri))
    return "a program on this device";
  return protocol === "https:" ? host : `the app on this device that opens ${protocol} addresses`;
}
