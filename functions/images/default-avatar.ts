import { DEFAULT_AVATARS } from "./default-avatars.ts";

/** The avatar of users without one. Returns `undefined` for a format that avatars do not have. */
export function defaultAvatar(format: string): Response | undefined {
  const base64 = Object.hasOwn(DEFAULT_AVATARS, format) ? DEFAULT_AVATARS[format] : undefined;
  if (base64 === undefined) return undefined;
  return new Response(Buffer.from(base64, "base64"), {
    headers: { "Content-Type": "image/jpeg", "Cache-Control": "public, max-age=86400" },
  });
}
