/** A service takes nothing more by the tokens that it gave. */
export class Refused extends Error {
  override readonly name = "Refused";
}
