import type { Context } from "hono";
import type { Act } from "../../../../db/queries/acts.ts";
import type { ShownUser } from "../../../../db/queries/moderation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { EMPTY, Field, Form, type FormState } from "../../../ui/form.tsx";
import { formToken } from "../../../ui/form-guard.ts";
import { ActForm, type Acting } from "./act-form.tsx";
import { ActsOn } from "./act-log.tsx";
import { showAdmin } from "./frame.tsx";
import { OPERATE } from "./guard.ts";
import { LimitFields, usedOf } from "./limits.tsx";
import { actingOf, FactList } from "./list-page.tsx";
import { RemovePicture } from "./posts.tsx";
import { minute, size } from "./words.ts";

/** Shows a user, with all that an operator may do. */
export const showUserDetails = (c: Context<AppEnv>, user: ShownUser, acts: Act[]): Response =>
  showAdmin(
    c,
    { title: user.username, section: "/admin/users" },
    <>
      <header class="page-head">
        <h1>{user.username}</h1>
        {user.state === "active" && <a href={`/${user.permalink}`}>Profile</a>}
      </header>
      <section class="card own-section">
        <FactList facts={factsOf(user)} />
        <UserActs user={user} acting={actingOf(c)} />
      </section>
      <ActsOn acts={acts} />
    </>,
  );

const factsOf = (user: ShownUser): [string, string | number][] => [
  ["State", user.suspended_for === null ? user.state : `suspended: ${user.suspended_for}`],
  ["E-mail address", addressOf(user)],
  [
    "Came by",
    user.invitation === null ? "no invitation" : (user.invitation.note ?? `invitation ${user.invitation.id}`),
  ],
  ["Plan", user.plan],
  ["Since", minute(user.created_at)],
  ["Tracks", `${user.tracks}${user.taken_down ? `, ${user.taken_down} taken down` : ""}`],
  ["Sets", user.playlists],
  ["Comments", user.comments],
  ["Sessions", user.sessions],
  ["Apps", user.apps],
  ["Open reports", user.open_reports],
  ["Audio used", usedOf("seconds", user.quota.seconds_used, user.quota.seconds)],
  ["Files used", usedOf("bytes", user.quota.bytes_used, user.quota.bytes)],
  [
    "In storage",
    `originals ${size(user.stored.originals)}, encoded ${size(user.stored.encodes)}, pictures ${size(user.stored.pictures)}`,
  ],
  ["Tracks used", usedOf("tracks", user.quota.tracks_used, user.quota.tracks)],
];

function addressOf({ email, confirmed, awaits_confirmation }: ShownUser): string {
  if (email === null) return "none";
  if (confirmed) return email;
  return `${email}, unconfirmed${awaits_confirmation ? ": posts nothing until it is confirmed" : ""}`;
}

const PLANS = ["free", "artist", "artist-pro"] as const;

const UserActs = ({ user, acting }: { user: ShownUser; acting: Acting }) => {
  const path = `/admin/users/${user.id}`;
  const common = { acting, of: user.username };
  if (user.state === "leaving") return <p class="hint">The account is being erased.</p>;
  return (
    <div class="admin-acts">
      {user.state === "active" ? (
        <ActForm
          {...common}
          action={`${path}/suspend`}
          label="Suspend"
          reason="required"
          hint="The user reads it. Nobody can sign in as the user or see what is theirs until you restore it."
          kind="danger"
        />
      ) : (
        <ActForm {...common} action={`${path}/restore`} label="Restore" reason="optional" />
      )}
      {user.awaits_confirmation && (
        <ActForm
          {...common}
          action={`${path}/admit`}
          label="Let in unconfirmed"
          reason="optional"
          hint="The user may post at once. The address stays unconfirmed."
        />
      )}
      <ActForm {...common} action={`${path}/sign-out`} label="End all sessions" reason="optional" />
      <ActForm {...common} action={`${path}/plan`} label="Change the plan" reason="optional">
        <label class="entry">
          <span>Plan</span>
          <select name="plan">
            {PLANS.map((plan) => (
              <option value={plan} selected={plan === user.plan}>
                {plan}
              </option>
            ))}
          </select>
        </label>
      </ActForm>
      <ActForm {...common} action={`${path}/quota`} label="Change the quota" reason="optional">
        <LimitFields of={user.own_quota ?? {}} hint="Empty is the plan's limit; none is no limit." />
      </ActForm>
      <RemovePicture
        acting={acting}
        of="user"
        id={user.id}
        name={user.username}
        version={user.avatar_version}
      />
      <a href={`${path}/delete`}>Delete…</a>
    </div>
  );
};

const LABELS = { name: "Name in addresses" };

/** Asks for the name of a user who is to be deleted. */
export const showUserDeletion = (c: Context<AppEnv>, user: ShownUser, state: FormState = EMPTY): Response =>
  showAdmin(
    c,
    { title: `Delete ${user.username}`, section: "/admin/users", status: state === EMPTY ? 200 : 422 },
    <div class="narrow">
      <section class="card account">
        <h1>Delete {user.username}?</h1>
        <p>
          {user.tracks} tracks, {user.playlists} sets, {user.comments} comments, likes and files are erased.
          This cannot be undone. To shut the user out for a time, suspend instead.
        </p>
        <Form
          name="delete"
          action={`/admin/users/${user.id}/delete`}
          token={formToken(c, OPERATE)}
          labels={LABELS}
          state={state}
          hidden={{ page: `/admin/users/${user.id}` }}
          submit="Delete"
          kind="danger"
        >
          <Field
            form="delete"
            name="name"
            label={LABELS.name}
            hint={`Type ${user.permalink} to confirm.`}
            autocomplete="off"
            state={state}
          />
          <Field form="delete" name="reason" label="Reason" maxlength={1000} state={state} />
        </Form>
        <p>
          <a href={`/admin/users/${user.id}`}>Keep the user</a>
        </p>
      </section>
    </div>,
  );
