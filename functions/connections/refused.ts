/** The service no longer accepts its tokens. */
export class Refused extends Error {
  override readonly name = "Refused";
}
