/** RFC 8252 §7.3: of an address of the loopback interface the port is the app's choice, once it is running. */
const LOOPBACK_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/;

/** Registered URIs that allow this one: itself, byte for byte, and for loopback the same without its port. */
export function acceptedRegistrations(asked: string): string[] {
  const anyPort = asked.replace(LOOPBACK_PORT, "$1");
  return anyPort === asked ? [asked] : [asked, anyPort];
}

const LOOPBACK_HOST = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d*)?(?=[/?]|$)/;

/** Names for one's own machine are easily confused: the registered address with the same path, and how to ask for it. */
export function loopbackAdvice(asked: string, registered: string[]): string {
  if (!LOOPBACK_HOST.test(asked)) return "";
  const path = asked.replace(LOOPBACK_HOST, "");
  const meant = registered.find((uri) => LOOPBACK_HOST.test(uri) && uri.replace(LOOPBACK_HOST, "") === path);
  if (meant === undefined) return "";
  const anyPort = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=[/?]|$)/.test(meant);
  return `; ${meant} is, ${anyPort ? "with any port" : "with exactly this port"}: hosts are compared as text`;
}

/**
 * The source by which a policy lets a form's answer through. The scheme, not the origin: browsers hold every further
 * redirect against it too, and apps send people on from their callback to wherever they were. `http:` allows https.
 */
export const formActionFor = (redirectUri: string): string => new URL(redirectUri).protocol;

/** What the consent page says of where the browser goes next. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (/^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?=[:/?]|$)/.test(redirectUri))
    return "a program on this device";
  return protocol === "https:" ? host : `the app on this device that opens ${protocol} addresses`;
}
