import type { Child } from "hono/jsx";
import type { TrackArtist } from "../../../api/tracks/artists.ts";
import type { MiniUser } from "../../../api/users/representation.ts";
import { artistsIn, artistValues } from "../../../lib/text/artist-lines.ts";
import { htmlOf, writtenOf } from "../../../lib/text/description-text.ts";
import { Field, type FormState, Tick } from "../../../ui/form.tsx";
import { ArtistLines } from "./artist-fields.tsx";
import { enteredOf, instantOf, TimeField } from "./time-field.tsx";

/** The fields of an edit page. Both the form and the API's body are made from these descriptions. */
export interface OwnField {
  /** The API's name. */
  name: string;
  label: string;
  hint?: string;
  /**
   * `html` is edited as text, `flag` is a checkbox, `account` is shown as a URL, `time` is a date with a time of day, `artists` has
   * lines. Default: one line of text.
   */
  kind?: "html" | "flag" | "account" | "time" | "artists";
  required?: boolean;
  maxlength?: number;
  options?: [value: string, label: string][];
  /** The keys that phones show. */
  inputmode?: "numeric" | "decimal";
  /** Shares its line with a neighbour. */
  isShort?: boolean;
}

export interface FieldGroup {
  /** Empty if the form has only this group. */
  title: string;
  /** Collapsed, because few need it. */
  folded?: boolean;
  fields: OwnField[];
}

type Values = FormState["values"];
/** A track or a playlist as the API represents it. */
type Owned = Record<string, unknown>;

/** The form's values for a resource. */
export const valuesOf = (groups: FieldGroup[], owned: Owned): Values =>
  Object.assign(
    {},
    ...fieldsOf(groups).map((field) =>
      field.kind === "artists"
        ? artistValues(owned[field.name] as TrackArtist[])
        : { [field.name]: shown(field, valueIn(owned, field)) },
    ),
  );

/** A suspended account has no URL. */
function valueIn(owned: Owned, { name, kind }: OwnField): unknown {
  const { permalink_url } =
    (kind === "account" && (owned[name.replace(/_id$/, "")] as Partial<MiniUser>)) || {};
  return permalink_url ?? owned[name];
}

function shown({ kind }: OwnField, value: unknown): string {
  if (value === null || value === undefined || value === false) return "";
  if (value === true) return "on";
  if (Array.isArray(value)) return value.join(", ");
  if (kind === "time") return enteredOf(String(value));
  return kind === "html" ? writtenOf(String(value)) : String(value);
}

/** Converts a form to the API's fields. Browsers omit an unticked box; any other missing field stays out. */
export const bodyOf = (groups: FieldGroup[], sent: Record<string, string>): Owned =>
  Object.fromEntries(
    fieldsOf(groups).flatMap(({ name, kind }): [string, unknown][] => {
      const value = sent[name];
      if (kind === "flag") return [[name, value === "on"]];
      const artists = kind === "artists" ? artistsIn(sent) : undefined;
      if (artists) return [[name, artists]];
      if (value === undefined) return [];
      if (kind === "time") return [[name, instantOf(value)]];
      return [[name, kind === "html" ? htmlOf(value) : value]];
    }),
  );

/** The groups without one field. */
export const without = (left: OwnField, groups: FieldGroup[]): FieldGroup[] =>
  groups.map((group) => ({ ...group, fields: group.fields.filter(({ name }) => name !== left.name) }));

export const fieldsOf = (groups: FieldGroup[]): OwnField[] => groups.flatMap(({ fields }) => fields);

/** Labels by name, for the summary of problems. */
export const labelsOf = (groups: FieldGroup[]): Record<string, string> =>
  Object.fromEntries(fieldsOf(groups).map(({ name, label }) => [name, label]));

type GroupProps = { form: string; state: FormState; groups: FieldGroup[] };

/** A folded group with a problem is open. */
export const Groups = ({ form, state, groups }: GroupProps) => (
  <>
    {groups.map(({ title, folded, fields }) => {
      const inner = fields.map((field) => <OneField form={form} state={state} field={field} />);
      if (!folded) return <Group title={title}>{inner}</Group>;
      const hasProblem = fields.some(({ name }) => state.problems[name]);
      return (
        <details class="field-group" open={hasProblem}>
          <summary>{title}</summary>
          <div class="own-fields">{inner}</div>
        </details>
      );
    })}
  </>
);

const Group = ({ title, children }: { title: string; children?: Child }) => (
  <fieldset class="field-group">
    {title && <legend>{title}</legend>}
    <div class="own-fields">{children}</div>
  </fieldset>
);

const OneField = ({ form, state, field }: { form: string; state: FormState; field: OwnField }) => {
  const { name, label, hint, kind, required, maxlength, options, inputmode, isShort } = field;
  if (kind === "time") return <TimeField form={form} state={state} name={name} label={label} hint={hint} />;
  if (kind === "artists")
    return <ArtistLines form={form} state={state} label={label} problem={state.problems[name]} />;
  if (kind === "flag") return <Tick form={form} name={name} label={label} state={state} hint={hint} />;
  const common = { form, name, label, state, ...(hint && { hint }), ...(maxlength && { maxlength }) };
  return (
    <Field
      {...common}
      {...(kind === "html" && { rows: 6 })}
      {...(options && { options })}
      optional={!required && "unsaid"}
      inputmode={inputmode}
      isShort={isShort}
    />
  );
};
