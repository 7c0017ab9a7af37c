import type { Child } from "hono/jsx";
import type { Env } from "../../../lib/http/env.ts";
import { type Reader, signInUrl } from "../../../ui/bar.tsx";

interface ActButtonProps {
  env: Env;
  reader: Reader;
  /** A name of `ACTS`. */
  act: string;
  /** The track, playlist, user or comment. */
  id: number;
  /** Further fields that the act needs. */
  fields?: Record<string, string | undefined>;
  /** Set for a button that is on or off. */
  pressed?: boolean;
  /** Read by screen readers in place of the visible text. */
  label?: string;
  children?: Child;
}

/** A button that does one thing without leaving the page. Visitors are asked to sign in, and it is done then. */
export const ActButton = ({ env, reader, act, id, fields = {}, pressed, label, children }: ActButtonProps) =>
  reader.userId === undefined ? (
    <a
      class="act"
      href={signInUrl(env, reader)}
      data-turbo="false"
      data-wants={placeOf(act, id)}
      aria-label={label}
    >
      {children}
    </a>
  ) : (
    <form class="act-form" method="post" action={`/you/acts/${act}/${id}`} data-act={placeOf(act, id)}>
      <input type="hidden" name="form_token" value={reader.actToken} />
      <input type="hidden" name="next" value={reader.path} />
      {Object.entries(fields).map(
        ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />,
      )}
      <button class="act" type="submit" aria-label={label} aria-pressed={pressed}>
        {children}
      </button>
    </form>
  );

/** The same for an act and its reversal, so that the script finds the button again. */
const placeOf = (act: string, id: number) =>
  `${act.replace(/^un(?=like|repost|follow)/, "").replace(/^remove-from-set$/, "add-to-set")}/${id}`;
