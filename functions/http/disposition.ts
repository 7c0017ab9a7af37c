/** RFC 8187: what may stand unescaped in an extended value. `encodeURIComponent` leaves these four besides. */
const STILL_RESERVED = /['()*]/g;

const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** RFC 6266: a name in ASCII for clients of old, the true one beside it. Nothing of it can end the header. */
export function attachment(filename: string): string {
  const whole = filename.toWellFormed();
  const plain = whole.replace(/[^\x20-\x7e]/g, "_").replace(/["\\/%]/g, "_");
  const extended = encodeURIComponent(whole).replace(STILL_RESERVED, escaped);
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}
