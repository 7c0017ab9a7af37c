import type { Child } from "hono/jsx";

export interface EntryProps {
  /** Makes the ids unique on the page. */
  form: "card" | "release";
  name: string;
  label: string;
  hint?: string;
  isWhole?: boolean;
  children?: Child;
}

/** A control with its label, and with the hint and the problem that describe it. The script writes the problem. */
export const Entry = ({ form, name, label, hint, isWhole, children }: EntryProps) => (
  <div class={isWhole ? "entry whole" : "entry"}>
    <label for={`${form}-${name}`}>{label}</label>
    {children}
    {hint && (
      <p class="hint" id={`${form}-${name}-hint`}>
        {hint}
      </p>
    )}
    <p class="problem" id={`${form}-${name}-problem`} data-problem={name} data-label={label} hidden />
  </div>
);
