/** Guesses the encoding of words whose tag declares none, or ISO 8859-1 as most programs do whatever they write. */

const decoded = (label: string, bytes: Uint8Array) => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Three letters in a row beyond ASCII. Words of Western languages have fewer, and no capital inside. */
const CYRILLIC = /(?<!\p{L})[А-Яа-яЁё][а-яё]{2,}(?!\p{L})|(?<!\p{L})[А-ЯЁ]{3,}(?!\p{L})/u;

/** The person sees the guess in the form, and may correct it. */
export function decode(bytes: Uint8Array): string {
  if (bytes.every((byte) => byte < 0x80)) return new TextDecoder().decode(bytes);
  const japanese = decoded("shift_jis", bytes);
  const cyrillic = decoded("windows-1251", bytes);
  return (
    decoded("utf-8", bytes) ??
    (KANA.test(japanese?.replace(/[\uff61-\uff9f]/g, "") ?? "") ? japanese : undefined) ??
    (CYRILLIC.test(cyrillic ?? "") ? cyrillic : undefined) ??
    new TextDecoder("windows-1252").decode(bytes)
  );
}

/** The same of text that was read as ISO 8859-1. */
export const decodeLatin = (text: string): string =>
  /^[\0-\xff]*$/.test(text) ? decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0))) : text;
