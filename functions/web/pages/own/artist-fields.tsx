import { ARTIST_ROLES } from "../../../../db/schema/artists.ts";
import type { ArtistRole, TrackArtist } from "../../../api/tracks/artists.ts";
import { filledLines, lineName, MOST_LINES } from "../../../lib/text/artist-lines.ts";
import type { FormState } from "../../../ui/form.tsx";

/** Without a script three free lines follow the filled ones. */
const FREE = 3;

/** Role as people say it. */
export const ROLE_NAMES: Record<ArtistRole, string> = {
  main: "Main artist",
  featured: "Featured artist",
  remixer: "Remixer",
  performer: "Performer",
  composer: "Composer",
  lyricist: "Lyricist",
  arranger: "Arranger",
  producer: "Producer",
  engineer: "Engineer",
  host: "Host",
  guest: "Guest",
  narrator: "Narrator",
};

interface ArtistLinesProps {
  form: string;
  state: FormState;
  label: string;
  problem: string | undefined;
}

export const ArtistLines = ({ form, state, label, problem }: ArtistLinesProps) => {
  const lines = Math.min(filledLines(state.values) + FREE, MOST_LINES);
  const id = `${form}-artists`;
  return (
    <fieldset class="entry artist-lines" id={id} aria-describedby={problem ? `${id}-problem` : `${id}-hint`}>
      <legend>{label}</legend>
      <p class="hint" id={`${id}-hint`}>
        In the order of the record. A user whom you name is asked, and linked once they accept. Save to get
        more lines.
      </p>
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          <span class="sr-only">Error: </span>
          {`${label} ${problem}`}
        </p>
      )}
      {Array.from({ length: lines }, (_, at) => (
        <ArtistLine at={at} values={state.values} />
      ))}
    </fieldset>
  );
};

const ArtistLine = ({ at, values }: { at: number; values: FormState["values"] }) => {
  const role = values[lineName("role", at)] || "main";
  const said = `of credit ${at + 1}`;
  return (
    <div class="artist-line">
      <input
        name={lineName("name", at)}
        value={values[lineName("name", at)] ?? ""}
        maxlength={255}
        placeholder="Name"
        aria-label={`Name ${said}`}
      />
      <select name={lineName("role", at)} aria-label={`Role ${said}`}>
        {ARTIST_ROLES.map((each) => (
          <option value={each} selected={each === role}>
            {ROLE_NAMES[each]}
          </option>
        ))}
      </select>
      <input
        name={lineName("user", at)}
        value={values[lineName("user", at)] ?? ""}
        maxlength={200}
        placeholder="@user"
        aria-label={`User ${said}, if they are here`}
        autocapitalize="none"
        spellcheck={false}
      />
    </div>
  );
};

/** Tells the owner the answers of the named users. */
export const ArtistAnswers = ({ artists }: { artists: TrackArtist[] }) => {
  const said = { pending: "was asked", accepted: "accepted", declined: "declined" } as const;
  const users = new Map(
    artists.flatMap(({ user, state }) => (user && state ? [[user.id, { user, state }] as const] : [])),
  );
  if (!users.size) return null;
  return (
    <ul class="plain-list artist-answers">
      {[...users.values()].map(({ user, state }) => (
        <li>
          <a href={user.permalink_url}>{user.username}</a> {said[state]}
          {state === "pending" ? ", and is not linked yet" : state === "declined" && ", and is not linked"}.
        </li>
      ))}
    </ul>
  );
};
