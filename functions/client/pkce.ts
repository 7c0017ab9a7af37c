/** RFC 7636. */

/** Bytes. 256 bits, as §7.1 recommends. */
const SECRET_BYTES = 32;

export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

export const randomSecret = (): string => base64url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

export async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(hash));
}
