import { badRequest } from "../../lib/http/errors.ts";

/** A program on the user's device that opened the registration and waits for its outcome. */
export interface Waiting {
  return_to: string;
  state: string;
}

/** No other program can listen at this port meanwhile. The name `localhost` may lead elsewhere. */
const LOOPBACK = /^http:\/\/127\.0\.0\.1:[1-9]\d{3,4}\/$/;

/** Unguessable, so that the program tells its own browser from other pages that reach its port. */
const STATE = /^[\w-]{22,128}$/;

/** Reads query or form. Throws 400 for any other address: the key goes there. */
export function waitingIn({ return_to, state = "" }: Record<string, string>): Waiting | undefined {
  if (return_to === undefined) return undefined;
  if (!LOOPBACK.test(return_to) || !URL.canParse(return_to))
    return badRequest(
      "return_to: only a program on this device can wait for a key, at http://127.0.0.1:PORT/",
    );
  if (!STATE.test(state)) return badRequest("state: 22 to 128 letters, digits, hyphens or underscores");
  return { return_to, state };
}

/** The policy's source for the form below. */
export const handoverAction = (waiting: Waiting | undefined): string =>
  waiting ? `'self' ${new URL(waiting.return_to).origin}` : "'self'";

type Outcome = Record<string, string | undefined>;

/** A form, so that no secret enters the address, which history keeps. */
export const Handover = ({
  waiting,
  outcome,
  words,
}: {
  waiting: Waiting;
  outcome: Outcome;
  words: string;
}) => (
  <form method="post" action={waiting.return_to} data-turbo="false">
    {Object.entries({ state: waiting.state, ...outcome }).map(
      ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />,
    )}
    <button class="button" type="submit">
      {words}
    </button>
  </form>
);
