import type { Track } from "../../../api/tracks/representation.ts";

/** Selects tracks of the own list by boxes, which belong to this form wherever they stand. */

const FORM = "selection";

export const SELECTED = "/you/tracks/selected";

/** Leads to the page that edits what is selected. The script counts, and selects all at once. */
export const Selection = ({ tracks }: { tracks: Track[] }) => (
  <track-selection>
    <form id={FORM} class="selection" action={SELECTED}>
      <label class="selection-all" hidden data-selection="all">
        <input type="checkbox" />
        All on this page
      </label>
      <p role="status" data-selection="count" />
      <button class="button quiet" type="submit">
        Edit selected
      </button>{" "}
      <button
        class="act"
        type="submit"
        name="all"
        value={tracks.map(({ id }) => id).join(",")}
        data-selection="without-script"
      >
        Edit all on this page
      </button>
    </form>
  </track-selection>
);

export const SelectTrack = ({ track: { id, title } }: { track: Track }) => (
  <label class="row-mark">
    <input type="checkbox" name="track" value={String(id)} form={FORM} />
    <span class="sr-only">Select {title}</span>
  </label>
);
