import type { Context } from "hono";
import { listIncidents, openIncident, updateIncident } from "../../../../db/queries/incidents.ts";
import type { Incident } from "../../../../db/queries/status-history.ts";
import { STATUS_PARTS } from "../../../../db/schema/status.ts";
import { IncidentText, NewIncident } from "../../../api/moderation/incident-input.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { Field } from "../../../ui/form.tsx";
import { seeOther } from "../../../ui/page.tsx";
import { PART_NAMES, stateOf, timesOf } from "../status/history.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdminError } from "./frame.tsx";
import { beforeIn, idIn, readAct, readerAsOperator } from "./guard.ts";
import { Entry, NewEntry, ROWS, showList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { minute } from "./words.ts";

/** Announcements on `/status`. */
export const incidentPages = new Routes({ renderError: showAdminError });

const PATH = "/admin/incidents";

incidentPages.page(PATH, async (c) => {
  const page = { before: beforeIn(c), limit: ROWS };
  return showList(c, {
    title: "Incidents",
    section: PATH,
    hint: (
      <>
        Everybody reads them at <a href="/status">/status</a> and in its feed.
      </>
    ),
    above: <NewIncidentForm c={c} />,
    rows: await listIncidents(c.var.db, readerAsOperator(c), page),
    idOf: ({ id }) => id,
    empty: "Nothing has been announced yet.",
    row: (incident, acting) => <IncidentEntry incident={incident} acting={acting} />,
  });
});

const LABELS = { title: "Title", text: "Text", begins: "Begins", ends: "Ends", parts: "Parts" };

const NewIncidentForm = ({ c }: { c: Context<AppEnv> }) => {
  const field = { form: "incident", state: { values: {}, problems: {} } };
  const time = "Such as 2026-12-24T18:00:00Z.";
  return (
    <NewEntry c={c} title="Announce" path={PATH} name="incident" labels={LABELS} submit="Publish">
      <Field {...field} name="title" label={LABELS.title} maxlength={200} />
      <Field {...field} name="text" label={LABELS.text} rows={4} maxlength={5000} />
      <fieldset class="checks">
        <legend>{LABELS.parts}</legend>
        {STATUS_PARTS.map((part) => (
          <label class="check">
            <input type="checkbox" name={`part-${part}`} />
            <span>{PART_NAMES[part]}</span>
          </label>
        ))}
      </fieldset>
      <div class="pair">
        <Field {...field} name="begins" label={LABELS.begins} hint={`${time} Empty: now.`} optional />
        <Field {...field} name="ends" label={LABELS.ends} hint="The planned end of maintenance." optional />
      </div>
    </NewEntry>
  );
};

const NAMES: Record<string, string> = { beginsAt: LABELS.begins, endsAt: LABELS.ends };

incidentPages.form(PATH, async (c) => {
  const { by, page, fields } = await readAct(c);
  const read = NewIncident.safeParse({
    title: fields.title ?? "",
    text: fields.text ?? "",
    parts: STATUS_PARTS.filter((part) => fields[`part-${part}`] !== undefined),
    beginsAt: fields.begins?.trim() ?? "",
    endsAt: fields.ends?.trim() ?? "",
  });
  if (!read.success) {
    const [issue] = read.error.issues;
    const name = String(issue?.path[0] ?? "");
    return invalid(
      `${NAMES[name] ?? LABELS[name as keyof typeof LABELS]} ${issue?.message}. Nothing was published.`,
    );
  }
  await openIncident(c.var.db, by, read.data);
  return seeOther(c, page);
});

for (const [act, close] of [
  ["update", false],
  ["close", true],
] as const)
  incidentPages.form(`${PATH}/:id{[0-9]+}/${act}`, async (c) => {
    const { by, page, fields } = await readAct(c);
    const text = IncidentText.safeParse(fields.text ?? "");
    if (!text.success) return invalid(`Text ${text.error.issues[0]?.message}. Nothing was published.`);
    const outcome = await updateIncident(c.var.db, by, { id: idIn(c), text: text.data, close });
    return outcome === "done" ? seeOther(c, page) : refuse("incident", outcome);
  });

const IncidentEntry = ({ incident, acting }: { incident: Incident; acting: Acting }) => {
  const { id, title, state, updates, parts } = incident;
  const [last] = updates;
  const form = { acting, of: title };
  return (
    <Entry
      title={<a href={`/status#incident-${id}`}>{title}</a>}
      lines={[
        `${stateOf(incident)}: ${timesOf(incident)}`,
        parts.map((part) => PART_NAMES[part]).join(", "),
        last && `${minute(last.at)}: ${last.text}`,
      ]}
    >
      <ActForm {...form} action={`${PATH}/${id}/update`} label="Add an update">
        <Words id={`update-${id}`} />
      </ActForm>
      {state !== "over" && (
        <ActForm {...form} action={`${PATH}/${id}/close`} label="Close" kind="danger">
          <Words id={`close-${id}`} />
        </ActForm>
      )}
    </Entry>
  );
};

const Words = ({ id }: { id: string }) => (
  <label class="entry">
    <span>{LABELS.text}</span>
    <textarea id={id} name="text" rows={3} maxlength={5000} required />
  </label>
);
