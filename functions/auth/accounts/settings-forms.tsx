import type { Settings } from "../../../db/queries/settings.ts";
import { PROFILE_LABELS } from "../../api/users/settings-input.ts";
import { countries } from "../../lib/text/countries.ts";
import { shownIn } from "../../ui/changed-fields.ts";
import { Field, Form, type FormState } from "../../ui/form.tsx";
import { UNTIL_CONFIRMED } from "../../ui/registration.tsx";

/** Props of one form on the settings page. */
export interface FormPart {
  settings: Settings;
  /** Returns a form token for this subject. */
  token: (subject: string) => string;
  state?: FormState;
}

const PASSWORD_LABELS = { current_password: "Current password", new_password: "New password" };

/** Shows password managers the account. The field is not submitted. */
export const AccountName = ({ email }: { email: string }) => (
  <input type="email" autocomplete="username" value={email} hidden readonly />
);

const CurrentPassword = (field: { form: string; state?: FormState }) => (
  <Field
    {...field}
    name="current_password"
    label={PASSWORD_LABELS.current_password}
    type="password"
    autocomplete="current-password"
  />
);

export const ProfileForm = ({ settings, token, state }: FormPart) => {
  const shown = state ?? { values: { ...settings.profile }, problems: {} };
  const field = (name: keyof typeof PROFILE_LABELS) => ({
    form: "profile",
    name,
    label: PROFILE_LABELS[name],
    state: shown,
  });
  return (
    <Form
      name="profile"
      action="/settings/profile"
      token={token("profile")}
      state={shown}
      labels={PROFILE_LABELS}
      hidden={shownIn(shown)}
      submit="Save profile"
    >
      <Field
        {...field("username")}
        autocomplete="nickname"
        maxlength={50}
        hint="The name that people see. The address of your profile stays as it is, until you change that, too."
      />
      <Field {...field("full_name")} autocomplete="name" maxlength={100} optional />
      <div class="pair">
        <Field {...field("city")} autocomplete="address-level2" maxlength={100} optional />
        <Field {...field("country")} autocomplete="country" options={[["", "–"], ...countries()]} optional />
      </div>
      <Field {...field("description")} rows={5} maxlength={4000} optional />
      <div class="pair">
        <Field {...field("website")} type="url" autocomplete="url" maxlength={1000} optional />
        <Field {...field("website_title")} autocomplete="off" maxlength={100} optional />
      </div>
      <div class="pair">
        <Field {...field("discogs_name")} autocomplete="off" maxlength={100} optional />
        <Field {...field("myspace_name")} autocomplete="off" maxlength={100} optional />
      </div>
    </Form>
  );
};

export const EmailForms = ({ settings, token, state }: FormPart) => {
  const { email, confirmed } = settings.user;
  return (
    <>
      <p>
        <strong>{email}</strong> {confirmed ? "is confirmed." : "is not confirmed yet."}
      </p>
      {settings.pending_email && <PendingChange email={settings.pending_email} token={token} />}
      {confirmed ? (
        <EmailForm settings={settings} token={token} state={state} />
      ) : (
        <Unconfirmed settings={settings} token={token} state={state} />
      )}
    </>
  );
};

const Resend = ({ token }: Pick<FormPart, "token">) => (
  <Form
    name="resend"
    action="/settings/confirmation"
    token={token("resend")}
    submit="Send the mail again"
    kind="quiet"
  />
);

const PendingChange = ({ email, token }: { email: string; token: FormPart["token"] }) => (
  <div class="pending">
    <p>
      <strong>{email}</strong> waits to be confirmed. We sent it a mail with a link.
    </p>
    <Resend token={token} />
    <Form
      name="cancel-change"
      action="/settings/email/cancel"
      token={token("cancel change")}
      submit="Cancel the change"
      kind="quiet"
    />
  </div>
);

/** An unconfirmed account that may post cannot change its address: it may be another person's. */
const Unconfirmed = ({ settings, token, state }: FormPart) => (
  <>
    {settings.mail_failed ? (
      <p class="problem" role="alert">
        Our mail to this address could not be delivered.
      </p>
    ) : (
      <p>We sent it a mail. Open the link in it; if nothing came, look among the unwanted mails.</p>
    )}
    {!settings.user.awaits_confirmation && state?.problems.email && (
      <p class="problem" role="alert">{`E-mail address ${state.problems.email}`}</p>
    )}
    {settings.user.awaits_confirmation && <p>{UNTIL_CONFIRMED}</p>}
    <Resend token={token} />
    {settings.user.awaits_confirmation ? (
      <EmailForm settings={settings} token={token} state={state} />
    ) : (
      <p class="hint">
        It can be changed once it is confirmed. If it is mistyped, delete this account and create another.
      </p>
    )}
  </>
);

const EmailForm = ({ settings, token, state }: FormPart) => {
  const field = { form: "email", state };
  return (
    <Form
      name="email"
      action="/settings/email"
      token={token("email")}
      state={state}
      labels={{ email: "New e-mail address", ...PASSWORD_LABELS }}
      submit="Change address"
    >
      <AccountName email={settings.user.email} />
      <Field
        {...field}
        name="email"
        label="New e-mail address"
        type="email"
        autocomplete="email"
        maxlength={254}
        hint="It takes effect when you open the link that we send there."
      />
      <CurrentPassword {...field} />
    </Form>
  );
};

export const PasswordForm = ({ settings, token, state }: FormPart) => (
  <Form
    name="password"
    action="/settings/password"
    token={token("password")}
    state={state}
    labels={PASSWORD_LABELS}
    submit="Change password"
  >
    <AccountName email={settings.user.email} />
    <CurrentPassword form="password" state={state} />
    <Field
      form="password"
      state={state}
      name="new_password"
      label={PASSWORD_LABELS.new_password}
      type="password"
      autocomplete="new-password"
      hint="At least 8 characters. All other browsers and all apps are signed out, and personal tokens end."
    />
  </Form>
);

export const DeleteForm = ({ settings, token, state }: FormPart) => (
  <Form
    name="delete"
    action="/settings/delete"
    token={token("delete")}
    state={state}
    labels={PASSWORD_LABELS}
    submit="Delete my account for good"
    kind="danger"
  >
    <AccountName email={settings.user.email} />
    <CurrentPassword form="delete" state={state} />
  </Form>
);
