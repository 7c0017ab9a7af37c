import { DIRECTIONS } from "../../text/fields.ts";

/** RFC 8187 reserves these four, which `encodeURIComponent` leaves unescaped. */
const STILL_RESERVED = /['()*]/g;

const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** RFC 6266: an ASCII name for older clients beside the true one. No name can break out of the header. */
export function attachment(filename: string): string {
  // Reversed text could hide the file's type.
  const whole = filename.toWellFormed().replace(DIRECTIONS, "");
  const plain = whole.replace(/[^\x20-\x7e]/g, "_").replace(/["\\/%]/g, "_");
  const extended = encodeURIComponent(whole).replace(STILL_RESERVED, escaped);
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}
