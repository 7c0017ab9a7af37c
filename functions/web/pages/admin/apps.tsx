import { type ModeratedApp, searchApps, startApp, stopApp } from "../../../../db/queries/moderation-apps.ts";
import { Note } from "../../../api/moderation/input.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdminError } from "./frame.tsx";
import { beforeIn, readAct, readerAsOperator, wordsIn } from "./guard.ts";
import { Entry, ROWS, showList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { SearchForm } from "./search-form.tsx";
import { minute } from "./words.ts";

export const appPages = new Routes({ renderError: showAdminError });

appPages.page("/admin/apps", async (c) => {
  const words = wordsIn(c, 200);
  const label = "Name, owner or client id";
  return showList(c, {
    title: "Apps",
    section: "/admin/apps",
    above: <SearchForm path="/admin/apps" label={label} value={words} />,
    rows: await searchApps(c.var.db, readerAsOperator(c), words, { before: beforeIn(c), limit: ROWS }),
    idOf: ({ id }) => id,
    empty: "There is no such app.",
    row: (app, acting) => <AppEntry app={app} acting={acting} />,
  });
});

const CLIENT = ":client{[\\w-]{1,100}}";

appPages.form(`/admin/apps/${CLIENT}/revoke`, async (c) => {
  const { withReason, page, fields } = await readAct(c);
  const message = messageIn(fields);
  const { outcome } = await stopApp(c.var.db, withReason(), c.req.param("client") ?? "", message);
  return outcome === "done" || outcome === "already" ? seeOther(c, page) : refuse("app", outcome);
});

appPages.form(`/admin/apps/${CLIENT}/restore`, async (c) => {
  const { by, page } = await readAct(c);
  const { outcome } = await startApp(c.var.db, by, c.req.param("client") ?? "");
  return outcome === "done" || outcome === "already" ? seeOther(c, page) : refuse("app", outcome);
});

function messageIn({ message = "" }: Record<string, string>): string | null {
  const read = Note.safeParse(message);
  if (!read.success)
    return invalid(`The text for the owner ${read.error.issues[0]?.message}. Nothing was changed.`);
  return read.data || null;
}

const AppEntry = ({ app, acting }: { app: ModeratedApp; acting: Acting }) => (
  <Entry
    title={app.name}
    lines={[
      <>
        of <a href={`/admin/users/${app.owner_id}`}>{app.owner}</a>, since {minute(app.created_at)}
      </>,
      <code>{app.client_id}</code>,
      app.client_type === "public" && "Public: it has no secret",
      app.disabled_at !== null && `Revoked ${minute(app.disabled_at)}`,
    ]}
  >
    {app.disabled_at === null ? (
      <ActForm
        acting={acting}
        action={`/admin/apps/${app.client_id}/revoke`}
        label="Revoke"
        of={app.name}
        reason="required"
        hint="Its tokens and sessions end for everybody. The reason stays in the log."
        kind="danger"
      >
        <label class="entry">
          <span>
            Text for the owner<span class="optional"> (optional)</span>
          </span>
          <span class="hint">The owner reads it beside the app, and in a mail about the revocation.</span>
          <input id={`message-${app.client_id}`} name="message" maxlength={1000} />
        </label>
      </ActForm>
    ) : (
      <ActForm
        acting={acting}
        action={`/admin/apps/${app.client_id}/restore`}
        label="Restore"
        of={app.name}
        reason="optional"
      />
    )}
  </Entry>
);
