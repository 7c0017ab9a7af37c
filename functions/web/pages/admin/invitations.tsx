import type { Context } from "hono";
import { endInvitation, type InvitationRow, listInvitations } from "../../../../db/queries/invitations.ts";
import { InvitationDays, InvitationUses, Note } from "../../../api/moderation/input.ts";
import { invite } from "../../../api/moderation/invitation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { registrationOf } from "../../../lib/http/registration.ts";
import { Routes } from "../../../lib/http/route.ts";
import { Field } from "../../../ui/form.tsx";
import { seeOther } from "../../../ui/page.tsx";
import { Secret } from "../../../ui/secret.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdmin, showAdminError } from "./frame.tsx";
import { beforeIn, idIn, readAct, readerAsOperator } from "./guard.ts";
import { Entry, NewEntry, ROWS, showList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { minute } from "./words.ts";

export const invitationPages = new Routes({ renderError: showAdminError });

const PATH = "/admin/invitations";

invitationPages.page(PATH, async (c) => {
  const page = { before: beforeIn(c), limit: ROWS };
  return showList(c, {
    title: "Invitations",
    section: PATH,
    hint: hintFor(c),
    above: <NewInvitation c={c} />,
    rows: await listInvitations(c.var.db, readerAsOperator(c), page),
    idOf: ({ id }) => id,
    empty: "Nobody has been invited yet.",
    row: (invitation, acting) => <InvitationEntry invitation={invitation} acting={acting} />,
  });
});

/** An invitation is idle where nobody needs one. */
const hintFor = ({ env }: Context<AppEnv>): string =>
  registrationOf(env) === "invite"
    ? "Whoever has one may sign up."
    : `Nobody needs one at present: REGISTRATION is ${registrationOf(env)}.`;

const LABELS = { uses: "Accounts", days: "Days", note: "Note" };

const NewInvitation = ({ c }: { c: Context<AppEnv> }) => {
  const field = { form: "invite", state: { values: { uses: "1", days: "14" }, problems: {} } };
  return (
    <NewEntry
      c={c}
      title="Invite"
      path={PATH}
      name="invite"
      labels={LABELS}
      submit="Make an invitation"
      unswapped
    >
      <div class="pair">
        <Field {...field} name="uses" label={LABELS.uses} hint="How many it may make." maxlength={6} />
        <Field {...field} name="days" label={LABELS.days} hint="For how many it holds." maxlength={4} />
      </div>
      <Field {...field} name="note" label={LABELS.note} hint="Operators read it." maxlength={200} optional />
    </NewEntry>
  );
};

invitationPages.form(PATH, async (c) => {
  const { by, fields } = await readAct(c);
  const uses = InvitationUses.safeParse(fields.uses);
  const days = InvitationDays.safeParse(fields.days);
  const note = Note.safeParse(fields.note ?? "");
  for (const [name, read] of Object.entries({ uses, days, note }))
    if (!read.success)
      invalid(`${LABELS[name as keyof typeof LABELS]} ${read.error.issues[0]?.message}. Nothing was made.`);
  if (!uses.success || !days.success || !note.success) return invalid("Nothing was made.");
  const given = { uses: uses.data, days: days.data, note: note.data || null };
  return showMade(c, await invite(c.var.db, c.env, by, given));
});

/** The link is shown only here. */
const showMade = (c: Context<AppEnv>, made: Awaited<ReturnType<typeof invite>>): Response =>
  showAdmin(
    c,
    { title: "Invitation made", section: PATH },
    <section class="card message">
      <h1>Invitation made</h1>
      <p>Send this link. It is not shown again, because only a hash of it is kept.</p>
      <Secret env={c.env} text={made.link} />
      <p class="hint">
        For {made.uses === 1 ? "one account" : `${made.uses} accounts`}, until {minute(made.expires_at)}.
      </p>
      <a class="button" href={PATH}>
        To the invitations
      </a>
    </section>,
  );

const STATES: Record<InvitationRow["state"], string> = {
  open: "open",
  used_up: "used up",
  expired: "expired",
  ended: "ended",
};

const InvitationEntry = ({ invitation, acting }: { invitation: InvitationRow; acting: Acting }) => {
  const { id, state, note, uses, used, expires_at, made_by, created_at } = invitation;
  const name = note ?? `Invitation ${id}`;
  return (
    <Entry
      title={name}
      lines={[
        `${STATES[state]}, ${used} of ${uses} used, until ${minute(expires_at)}`,
        `${made_by}, ${minute(created_at)}`,
      ]}
    >
      {state === "open" && (
        <ActForm
          acting={acting}
          action={`${PATH}/${id}/end`}
          label="End"
          of={name}
          reason="optional"
          kind="danger"
        />
      )}
    </Entry>
  );
};

invitationPages.form(`${PATH}/:id/end`, async (c) => {
  const { by, page } = await readAct(c);
  const outcome = await endInvitation(c.var.db, by, idIn(c));
  return outcome === "done" ? seeOther(c, page) : refuse("invitation", outcome);
});
