import { ARTIST_ROLES } from "../../../../db/schema/artists.ts";
import type { ArtistRole, TrackArtist } from "../../../api/tracks/artists.ts";
import type { FormState } from "../../../ui/form.tsx";

/** Lines of a form for credited artists: name, role and user. Without a script three free lines follow the filled ones. */

const FREE = 3;
const MOST = 30;

/** Role as people say it. */
const ROLE_NAMES: Record<ArtistRole, string> = {
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

const PARTS = ["name", "role", "user"] as const;
const nameOf = (part: (typeof PARTS)[number], at: number) => `artist_${part}_${at}`;

/** The form's values for the artists of a track. */
export const artistValues = (artists: TrackArtist[]): FormState["values"] =>
  Object.fromEntries(
    artists.flatMap(({ name, role, user }, at) => [
      [nameOf("name", at), name],
      [nameOf("role", at), role],
      [nameOf("user", at), user ? `@${user.permalink}` : ""],
    ]),
  );

/** The API's artists from a form, without its empty lines. `undefined` if the form has no such lines. */
export function artistsIn(sent: Record<string, string | null | undefined>) {
  const lines = Array.from({ length: MOST }, (_, at) => PARTS.map((part) => sent[nameOf(part, at)]?.trim()));
  if (lines.every(([name]) => name === undefined)) return undefined;
  return lines
    .filter(([name, , user]) => name || user)
    .map(([name, role, user]) => ({ name, role, permalink: user && permalinkIn(user) }));
}

/** `@ben`, `ben` and the address of a profile name the same user. */
const permalinkIn = (user: string) => user.replace(/^https?:\/\/[^/]+\//i, "").replace(/^@|\/$/g, "");

interface ArtistLinesProps {
  form: string;
  state: FormState;
  label: string;
  problem: string | undefined;
}

export const ArtistLines = ({ form, state, label, problem }: ArtistLinesProps) => {
  const last = Array.from({ length: MOST }, (_, at) => at).findLast((at) =>
    PARTS.some((part) => part !== "role" && state.values[nameOf(part, at)]),
  );
  const lines = Math.min((last ?? -1) + 1 + FREE, MOST);
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
  const role = values[nameOf("role", at)] || "main";
  const said = `of artist ${at + 1}`;
  return (
    <div class="artist-line">
      <input
        name={nameOf("name", at)}
        value={values[nameOf("name", at)] ?? ""}
        maxlength={255}
        placeholder="Name"
        aria-label={`Name ${said}`}
      />
      <select name={nameOf("role", at)} aria-label={`Role ${said}`}>
        {ARTIST_ROLES.map((each) => (
          <option value={each} selected={each === role}>
            {ROLE_NAMES[each]}
          </option>
        ))}
      </select>
      <input
        name={nameOf("user", at)}
        value={values[nameOf("user", at)] ?? ""}
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
