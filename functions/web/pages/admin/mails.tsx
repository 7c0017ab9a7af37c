import { dropMails, type ListedMail, listMails, retryMails } from "../../../../db/queries/mails.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdminError } from "./frame.tsx";
import { beforeIn, idIn, readAct, readerAsOperator } from "./guard.ts";
import { actingOf, Entry, ROWS, showList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { minute } from "./words.ts";

export const mailPages = new Routes({ renderError: showAdminError });

const TABS = { failed: "Failed", waiting: "Waiting" };

mailPages.page("/admin/mails", async (c) => {
  const state = c.req.query("state") === "waiting" ? "waiting" : "failed";
  const rows = await listMails(c.var.db, readerAsOperator(c), state, { before: beforeIn(c), limit: ROWS });
  return showList(c, {
    title: "Mails",
    section: "/admin/mails",
    hint: "Mails that are not sent yet, without what they say. Failed ones are kept for a month.",
    tabs: { parameter: "state", names: TABS, current: state },
    above: state === "failed" && rows.length > 1 && <AllFailed acting={actingOf(c)} />,
    rows,
    idOf: ({ id }) => id,
    empty: state === "failed" ? "No mail has failed." : "No mail is on its way.",
    row: (mail, acting) => <MailRow mail={mail} acting={acting} />,
  });
});

mailPages.form("/admin/failed-mails/retry", async (c) => {
  const { by, page } = await readAct(c);
  await retryMails(c.var.db, by, undefined);
  return seeOther(c, page);
});

mailPages.form("/admin/mails/:id/retry", async (c) => {
  const { by, page } = await readAct(c);
  const due = await retryMails(c.var.db, by, idIn(c));
  return due.length ? seeOther(c, page) : refuse("mail", "unsendable");
});

mailPages.form("/admin/mails/:id/drop", async (c) => {
  const { by, page } = await readAct(c);
  return (await dropMails(c.var.db, by, idIn(c))) ? seeOther(c, page) : refuse("mail", "unknown");
});

/** Retries all, once a failed mail server is back. */
const AllFailed = ({ acting }: { acting: Acting }) => (
  <div class="admin-acts">
    <ActForm
      acting={acting}
      action="/admin/failed-mails/retry"
      label="Send all again"
      of="mails that failed"
    />
  </div>
);

const KINDS: Record<ListedMail["kind"], string> = {
  confirm: "Confirmation of an address",
  reset: "New password",
  cancel: "Way back after a change",
  "address-changed": "Notice of a new address",
  "password-changed": "Notice of a new password",
  "token-made": "Notice of a new personal token",
  "second-factor": "Notice about a second factor",
  "original-deleted": "Notice of a failed track's file that was deleted",
  deprecation: "Notice of something that an app uses and that ends",
  removal: "About something that was removed",
  app: "Notice of an app that was revoked or restored",
  "webhook-disabled": "Notice of a webhook that was switched off",
  news: "News that its reader chose",
  "podcast-code": "Code for moving a podcast",
  report: "Report for the operator",
};

const MailRow = ({ mail, acting }: { mail: ListedMail; acting: Acting }) => {
  const path = `/admin/mails/${mail.id}`;
  const of = `${KINDS[mail.kind]} to ${mail.recipient}`;
  return (
    <Entry
      title={of}
      lines={[
        <>
          {mail.user_id !== null && <a href={`/admin/users/${mail.user_id}`}>{mail.username}</a>}
          {mail.user_id !== null && ", "}
          queued {minute(mail.queued_at)}, {mail.tries} {mail.tries === 1 ? "attempt" : "attempts"}
          {mail.next_attempt_at !== null && `, next ${minute(mail.next_attempt_at)}`}
        </>,
        mail.failure && <code>{mail.failure}</code>,
      ]}
    >
      <ActForm
        acting={acting}
        action={`${path}/retry`}
        label={mail.state === "failed" ? "Send again" : "Send now"}
        of={of}
      />
      <ActForm acting={acting} action={`${path}/drop`} label="Drop" of={of} reason="optional" kind="danger" />
    </Entry>
  );
};
