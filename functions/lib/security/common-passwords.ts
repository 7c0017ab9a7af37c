/**
 * The most frequent leaked passwords of eight characters and more. Compared without case and without trailing
 * digits.
 */
const COMMON = new Set(
  `password passw0rd p@ssw0rd p@ssword pa55word password1 qwertyuiop qwertyui qwerty asdfghjkl asdfasdf zxcvbnm zxcvbnm,
  iloveyou sunshine princess football baseball basketball superman batman trustno1 starwars letmein welcome whatever
  michelle jennifer computer internet samsung master dragon monkey shadow killer charlie jordan liverpool chelsea arsenal
  blink182 pokemon naruto minecraft fuckyou 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc q1w2e3r4 q1w2e3r4t5 qazwsxedc zaq12wsx
  abcdefgh abcd abc aaaaaaaa changeme default administrator admin secret test testtest passwort contrasena motdepasse
  soundpost soundcloud`.split(/\s+/),
);

/** Also refuses variants such as `Password123!`, a run of one character, and up to ten digits. */
export function isCommon(password: string): boolean {
  const lower = password.toLowerCase();
  if (/^(.)\1*$/u.test(lower) || /^\d{1,10}$/.test(lower)) return true;
  return COMMON.has(lower) || COMMON.has(lower.replace(/[\d!.?@#$*]+$/, ""));
}
