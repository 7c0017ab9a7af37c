import type { Track } from "../../../api/tracks/representation.ts";

/** Leads from a track's edit page to the forms that let an upload take the place of an older track. */
export const Replacing = ({ track: { id, state, sharing, takedown } }: { track: Track }) =>
  takedown ? null : (
    <section class="own-section">
      <h2>New recording</h2>
      <p>
        The audio of a track never changes. A new upload can take its place, and keeps likes, comments, plays,
        places in sets and the address.
      </p>
      <div class="own-actions">
        <a class="button quiet" href={`/you/replace?track=${id}`}>
          Replace with a new upload …
        </a>
        {state === "finished" && sharing === "private" && (
          <a class="button quiet" href={`/you/take-place?track=${id}`}>
            Replace another track with this one …
          </a>
        )}
      </div>
    </section>
  );
