import type { Child } from "hono/jsx";

/** State of a form that is shown again: the input except passwords, and problems by field. */
export interface FormState {
  values: Record<string, string | null | undefined>;
  problems: Record<string, string>;
}

export const EMPTY: FormState = { values: {}, problems: {} };

export interface FormProps {
  action: string;
  /** Made by `formToken` for this form. */
  token: string;
  /** Makes the form's ids unique on the page. */
  name: string;
  labels?: Record<string, string>;
  state?: FormState;
  hidden?: Record<string, string>;
  submit: string;
  kind?: "quiet" | "danger";
  hasFile?: boolean;
  /** Selector of the element to focus when its page is back. */
  then?: string;
  /** Said to screen readers when that page is back. */
  said?: string;
  /** Set if the reply is a page or redirects to another site, which Turbo would refuse. */
  unswapped?: boolean;
  /** Set for visitors: scripts ask them to sign in, and send it then. */
  isWanted?: boolean;
  /** Set if the reply leads to another of our hosts, so that the music goes along. */
  leadsHome?: boolean;
  children?: Child;
}

/** Works without a script: problems appear above the form. */
export const Form = ({ action, token, name, state = EMPTY, submit, ...more }: FormProps) => (
  <form
    class="form"
    // Without its script, a visitor's form does nothing.
    method={more.isWanted ? "dialog" : "post"}
    action={action}
    enctype={more.hasFile ? "multipart/form-data" : undefined}
    data-turbo={more.unswapped ? "false" : undefined}
    data-then={more.then}
    data-leads={more.leadsHome ? "home" : undefined}
    data-wants={more.isWanted ? "" : undefined}
    data-words={more.isWanted ? submit : undefined}
    data-said={more.said}
  >
    <Problems name={name} problems={state.problems} labels={more.labels ?? {}} />
    <input type="hidden" name="form_token" value={token} />
    {Object.entries(more.hidden ?? {}).map(([key, value]) => (
      <input type="hidden" name={key} value={value} />
    ))}
    {more.children}
    <button class={`button ${more.kind ?? ""}`.trim()} type="submit">
      {submit}
    </button>
  </form>
);

type ProblemsProps = { name: string; problems: FormState["problems"]; labels: Record<string, string> };

/** Receives the focus when the page opens, so that screen readers read it first. */
const Problems = ({ name, problems, labels }: ProblemsProps) => {
  const entries = Object.entries(problems);
  if (!entries.length) return null;
  return (
    <div class="problems" role="alert" tabindex={-1} autofocus id={`${name}-problems`}>
      <h2>{entries.length > 1 ? "Some things need another look" : "One thing needs another look"}</h2>
      <ul>
        {entries.map(([field, problem]) => (
          <li>
            {labels[field] ? <a href={`#${name}-${field}`}>{`${labels[field]} ${problem}`}</a> : problem}
          </li>
        ))}
      </ul>
    </div>
  );
};

interface FieldProps {
  form: string;
  name: string;
  label: string;
  state?: FormState;
  type?: "text" | "email" | "password" | "url" | "file" | "datetime-local";
  /** Media types of files. */
  accept?: string;
  /** The keys that phones show. */
  inputmode?: "numeric" | "decimal" | undefined;
  autocomplete?: string;
  placeholder?: string;
  /** Whether it has the focus when the page opens. */
  autofocus?: boolean;
  hint?: string;
  /** `unsaid`: no mark, in forms where hardly anything is required. */
  optional?: boolean | "unsaid";
  maxlength?: number;
  rows?: number;
  options?: [value: string, label: string][];
  /** Set for a control that may share its line with a neighbour. */
  isShort?: boolean | undefined;
}

/** Ties label, control, help and problem together for screen readers. */
export const Field = ({ form, name, label, state = EMPTY, ...more }: FieldProps) => {
  const id = `${form}-${name}`;
  const problem = state.problems[name];
  const common = {
    ...described(id, more.hint, problem),
    name,
    autocomplete: more.autocomplete,
    placeholder: more.placeholder,
    autofocus: more.autofocus,
    maxlength: more.maxlength,
    accept: more.accept,
    inputmode: more.inputmode,
    required: !more.optional,
  };
  return (
    <div class={more.isShort ? "entry short" : "entry"}>
      <label for={id}>
        {label}
        {more.optional === true && <span class="optional"> (optional)</span>}
      </label>
      <Help id={id} label={label} hint={more.hint} problem={problem} />
      <Control type={more.type ?? "text"} value={state.values[name] ?? ""} common={common} more={more} />
    </div>
  );
};

type TickProps = { form: string; name: string; label: string; hint?: string | undefined; state: FormState };

/** A checkbox. It is sent as `on`, or not at all. */
export const Tick = ({ form, name, label, hint, state }: TickProps) => {
  const id = `${form}-${name}`;
  const problem = state.problems[name];
  return (
    <div class="tick">
      <input
        {...described(id, hint, problem)}
        type="checkbox"
        name={name}
        value="on"
        checked={state.values[name] === "on"}
      />
      <label for={id}>{label}</label>
      <Help id={id} label={label} hint={hint} problem={problem} />
    </div>
  );
};

/** Attributes of a control that `Help` belongs to. */
const described = (id: string, hint: string | undefined, problem: string | undefined) => ({
  id,
  "aria-describedby":
    [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ") || undefined,
  "aria-invalid": problem ? ("true" as const) : undefined,
});

type HelpProps = { id: string; label: string; hint: string | undefined; problem: string | undefined };

const Help = ({ id, label, hint, problem }: HelpProps) => (
  <>
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {problem && (
      <p class="problem" id={`${id}-problem`}>
        <span class="sr-only">Error: </span>
        {`${label} ${problem}`}
      </p>
    )}
  </>
);

type ControlProps = {
  type: string;
  value: string;
  common: Record<string, unknown>;
  more: Pick<FieldProps, "rows" | "options">;
};

const Control = ({ type, value, common, more }: ControlProps) => {
  if (more.rows)
    return (
      <textarea {...common} rows={more.rows}>
        {`\n${value}`}
      </textarea>
    );
  if (more.options)
    return (
      <select {...common}>
        {more.options.map(([option, label]) => (
          <option value={option} selected={option === value}>
            {label}
          </option>
        ))}
      </select>
    );
  // Browsers drop line ends here, which would join the words around them when the form is saved.
  const shown = type === "password" || type === "file" ? {} : { value: value.replace(/[\r\n]+/g, " ") };
  const plain = type === "text" ? {} : { autocapitalize: "none" as const, spellcheck: false };
  return <input {...common} {...shown} {...plain} type={type} />;
};
