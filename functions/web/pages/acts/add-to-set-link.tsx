import type { Child } from "hono/jsx";
import type { Track } from "../../../api/tracks/representation.ts";
import type { Reader } from "../../../ui/bar.tsx";

/** Sets accept only tracks that their owner can see without a private link. `secret` is the token of the one that opened the track. */
export const fitsSets = (
  { userId }: Pick<Reader, "userId">,
  track: Pick<Track, "user_id" | "sharing">,
  secret: string | undefined,
): boolean => track.sharing === "public" || userId === track.user_id || secret === undefined;

interface AddToSetLinkProps {
  reader: Pick<Reader, "userId">;
  /** The track. */
  id: number;
  class?: string;
  children?: Child;
}

/** Leads to the reader's sets, which a script shows in a dialog. */
export const AddToSetLink = ({ reader, id, children, ...link }: AddToSetLinkProps) => {
  const act = `choose-set/${id}`;
  return (
    <a
      {...link}
      href={`/you/sets/add?track=${id}`}
      data-add-to-set
      // The sign-in is on another host, which no script may fetch.
      {...(reader.userId === undefined ? { "data-turbo": "false", "data-wants": act } : { "data-act": act })}
    >
      {children}
    </a>
  );
};
