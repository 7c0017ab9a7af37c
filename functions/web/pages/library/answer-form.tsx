import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { Field, Form, type FormState, Tick } from "../../../ui/form.tsx";
import { formToken } from "../../../ui/form-guard.ts";

/** Subject of the form token. */
export const ANSWER = "answer to a removal";

const LABELS = {
  statement: "Why it was removed by mistake",
  name: "Your full name",
  contact: "Your postal address and telephone number",
  sworn: "Your oath",
  consent: "Your consent",
};

type AnswerFormProps = { c: Context<AppEnv>; id: number; state: FormState };

/** Asks for what a counter-notice needs under 17 U.S.C. § 512(g)(3), in plain words. */
export const AnswerForm = ({ c, id, state }: AnswerFormProps) => {
  const field = { form: "answer", state };
  return (
    <section class="card">
      <h2>Answer</h2>
      <p>
        The people who run this site read your answer and decide; nothing is restored by itself. Whoever
        reported it learns that you objected and, if it is about copyright, may get a copy with your name and
        address.
      </p>
      <Form
        name="answer"
        action={`/you/removals/${id}`}
        token={formToken(c, ANSWER)}
        labels={LABELS}
        state={state}
        submit="Send the answer"
      >
        <Field {...field} name="statement" label={LABELS.statement} rows={6} maxlength={5_000} />
        <Field
          {...field}
          name="name"
          label={LABELS.name}
          autocomplete="name"
          hint="It signs your answer."
          maxlength={200}
        />
        <Field {...field} name="contact" label={LABELS.contact} rows={3} maxlength={1_000} />
        <Tick
          {...field}
          name="sworn"
          label="I swear, under penalty of perjury, that I believe in good faith that it was removed by mistake or because it was taken for something else."
        />
        <Tick
          {...field}
          name="consent"
          label="I consent to the jurisdiction of the federal court at my address or, outside the United States, of any at which this site may be found, and I accept service of process from whoever reported it."
        />
      </Form>
    </section>
  );
};
