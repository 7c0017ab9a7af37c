import { MAX_SEARCH_CHARS } from "../../../lib/text/search.ts";
import { Field, type FormState } from "../../../ui/form.tsx";

/** Minutes, from and to, by the choice's name. */
const LENGTHS: Record<string, [from: number | undefined, to: number | undefined, label: string]> = {
  short: [undefined, 2, "Under 2 minutes"],
  medium: [2, 10, "2 to 10 minutes"],
  long: [10, 30, "10 to 30 minutes"],
  longest: [30, undefined, "Over 30 minutes"],
};

/** Lists of the API's licences by the choice's name. */
const LICENCES: Record<string, [licences: string, label: string]> = {
  share: ["no-rights-reserved,cc-by,cc-by-nc,cc-by-nd,cc-by-sa,cc-by-nc-nd,cc-by-nc-sa", "To share"],
  commercial: ["no-rights-reserved,cc-by,cc-by-nd,cc-by-sa", "To use commercially"],
  change: ["no-rights-reserved,cc-by,cc-by-nc,cc-by-sa,cc-by-nc-sa", "To change or build upon"],
};

const entryOf = <Value,>(choices: Record<string, Value>, name: string | undefined): Value | undefined =>
  name !== undefined && Object.hasOwn(choices, name) ? choices[name] : undefined;

/** The API's parameters for the form's filters. Unknown choices are ignored. */
export function trackParameters(asked: Record<string, string>): Record<string, string> {
  const [from, to] = entryOf(LENGTHS, asked.duration) ?? [];
  const [license] = entryOf(LICENCES, asked.license) ?? [];
  const given = {
    genres: asked.genre?.trim(),
    license,
    "duration[from]": from && String(from * 60_000),
    "duration[to]": to && String(to * 60_000),
    "bpm[from]": asked.bpm_from?.trim(),
    "bpm[to]": asked.bpm_to?.trim(),
    sort: asked.sort === "newest" ? "desc" : undefined,
  };
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** The choice that matches every value. */
const ANY: [value: string, label: string] = ["", "Any"];

/** Filters of tracks, open if one is set. */
export const SearchFilters = ({ state }: { state: FormState }) => (
  <details class="card filters" open={Object.keys(trackParameters(textOf(state))).length > 0}>
    <summary>Filters</summary>
    <form class="form" action="/search">
      <input type="hidden" name="type" value="tracks" />
      <div class="filter-fields">
        <Field form="filter" name="q" label="Words" state={state} optional maxlength={MAX_SEARCH_CHARS} />
        <Field form="filter" name="genre" label="Genre" state={state} optional maxlength={100} />
        <Field
          form="filter"
          name="duration"
          label="Length"
          state={state}
          optional
          options={[
            ANY,
            ...Object.entries(LENGTHS).map(([name, [, , label]]): [string, string] => [name, label]),
          ]}
        />
        <Field
          form="filter"
          name="license"
          label="Licence"
          state={state}
          optional
          options={[
            ANY,
            ...Object.entries(LICENCES).map(([name, [, label]]): [string, string] => [name, label]),
          ]}
        />
        <Field form="filter" name="bpm_from" label="BPM from" state={state} optional maxlength={7} />
        <Field form="filter" name="bpm_to" label="BPM to" state={state} optional maxlength={7} />
        <Field
          form="filter"
          name="sort"
          label="Order"
          state={state}
          optional
          options={[
            ["", "Best match"],
            ["newest", "Newest"],
          ]}
        />
      </div>
      <button class="button" type="submit">
        Search
      </button>
    </form>
  </details>
);

const textOf = ({ values }: FormState): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])));
