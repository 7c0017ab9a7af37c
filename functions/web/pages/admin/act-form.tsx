import type { Child } from "hono/jsx";

/** Shared by the forms of one page. */
export interface Acting {
  token: string;
  /** The page's own path, to return to. */
  page: string;
}

interface ActFormProps {
  acting: Acting;
  action: string;
  label: string;
  /** Names the subject for screen readers. */
  of: string;
  /** Whether the form asks for a reason, which the log stores. It opens below the button. */
  reason?: "optional" | "required";
  /** Explains the use of the reason. */
  hint?: string;
  kind?: "quiet" | "danger";
  /** Further fields. */
  children?: Child;
}

/** A button that acts at once, or one that asks for a reason first. Both work without script. */
export const ActForm = ({
  acting,
  action,
  label,
  of,
  reason,
  hint,
  kind = "quiet",
  children,
}: ActFormProps) => {
  // No other form has this name, so a script can restore the text when the page is back.
  const name = `reason${action}-${of}`.replaceAll(/[^a-z0-9]+/gi, "-");
  const form = (
    <form method="post" action={action} class={reason || children ? "form admin-form" : undefined}>
      <input type="hidden" name="form_token" value={acting.token} />
      <input type="hidden" name="page" value={acting.page} />
      {children}
      {reason && (
        <label class="entry">
          <span>Reason{reason === "optional" && <span class="optional"> (optional)</span>}</span>
          {hint && <span class="hint">{hint}</span>}
          <input id={name} name="reason" maxlength={1000} required={reason === "required"} />
        </label>
      )}
      <button class={`button small ${kind}`} type="submit">
        {label}
        <span class="sr-only">: {of}</span>
      </button>
    </form>
  );
  if (!reason && !children) return form;
  return (
    <details class="admin-act">
      <summary>
        {label}…<span class="sr-only"> {of}</span>
      </summary>
      {form}
    </details>
  );
};
