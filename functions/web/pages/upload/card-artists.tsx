import { ARTIST_ROLES } from "../../../../db/schema/artists.ts";
import { lineName } from "../../../lib/text/artist-lines.ts";
import { ROLE_NAMES } from "../own/artist-fields.tsx";

const LINES = 12;

/** Lines for credited artists. The script shows those that are filled and the next. */
export const CardArtists = () => (
  <details class="whole">
    <summary>Credits</summary>
    <fieldset class="artist-lines">
      <legend>Artists with their roles</legend>
      <p class="hint" id="card-artists-hint">
        A user whom you name is asked, and linked once they accept.
      </p>
      <p class="problem" id="card-artists-problem" data-problem="artists" data-label="Artists" hidden />
      {Array.from({ length: LINES }, (_, at) => (
        <Line at={at} />
      ))}
    </fieldset>
  </details>
);

const Line = ({ at }: { at: number }) => (
  <div class="artist-line" data-artist-line hidden={at > 0}>
    <input
      name={lineName("name", at)}
      maxlength={255}
      placeholder="Name"
      aria-label={`Name of credit ${at + 1}`}
      aria-describedby={at === 0 ? "card-artists-hint card-artists-problem" : undefined}
    />
    <select name={lineName("role", at)} aria-label={`Role of credit ${at + 1}`}>
      {ARTIST_ROLES.map((role) => (
        <option value={role}>{ROLE_NAMES[role]}</option>
      ))}
    </select>
    <input
      name={lineName("user", at)}
      maxlength={200}
      placeholder="@user"
      aria-label={`User of credit ${at + 1}, if they are here`}
      autocapitalize="none"
      spellcheck={false}
    />
  </div>
);
