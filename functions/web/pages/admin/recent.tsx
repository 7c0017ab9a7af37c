import { type RecentPerson, showRecent } from "../../../../db/queries/moderation-recent.ts";
import { Routes } from "../../../lib/http/route.ts";
import { Tabs } from "../rows/tabs.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdmin, showAdminError } from "./frame.tsx";
import { readerAsOperator } from "./guard.ts";
import { actingOf, Entry, FactList } from "./list-page.tsx";

/** Recent activity, to find spam. */
export const recentPage = new Routes({ renderError: showAdminError });

const TABS = { 1: "1 hour", 24: "24 hours" };

recentPage.page("/admin/recent", async (c) => {
  const hours = c.req.query("hours") === "24" ? 24 : 1;
  const { persons, networks } = await showRecent(c.var.db, readerAsOperator(c), hours);
  const acting = actingOf(c);
  return showAdmin(
    c,
    { title: "Recent activity", section: "/admin/recent" },
    <>
      <header class="page-head">
        <h1>Recent activity</h1>
      </header>
      <Tabs label="Time" path="/admin/recent" parameter="hours" tabs={TABS} current={String(hours)} />
      <section>
        <h2>By person</h2>
        {persons.length === 0 ? (
          <p class="empty">Nobody signed up, commented, uploaded or reported.</p>
        ) : (
          <ul class="card connected admin-rows">
            {persons.map((person) => (
              <li>
                <PersonEntry person={person} acting={acting} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h2>By network address, in the last hour</h2>
        <p class="hint">
          Only the limits on sign-ups and reports know addresses. They keep each for an hour, without the
          account, so nothing here says who came from where.
        </p>
        {networks.length === 0 ? (
          <p class="empty">No address signed up or reported.</p>
        ) : (
          <FactList facts={networks.map(({ address, ...counts }) => [address, wordsOf(counts)])} />
        )}
      </section>
    </>,
  );
});

const UNITS = { sign_ups: "sign-up", comments: "comment", uploads: "upload", reports: "report" };

const wordsOf = (counts: Partial<Record<keyof typeof UNITS, number>>): string =>
  Object.entries(UNITS)
    .flatMap(([name, unit]) => {
      const count = counts[name as keyof typeof UNITS] ?? 0;
      return count > 0 ? [`${count} ${unit}${count === 1 ? "" : "s"}`] : [];
    })
    .join(", ");

const PersonEntry = ({ person, acting }: { person: RecentPerson; acting: Acting }) => (
  <Entry
    title={<a href={`/admin/users/${person.id}`}>{person.username}</a>}
    lines={[
      wordsOf(person),
      person.signed_up && "Signed up meanwhile",
      person.email !== null && `${person.email}${person.confirmed ? "" : ", unconfirmed"}`,
    ]}
  >
    {person.suspended ? (
      <p class="hint">Suspended</p>
    ) : (
      <ActForm
        acting={acting}
        action={`/admin/users/${person.id}/suspend`}
        label="Suspend"
        of={person.username}
        reason="required"
        hint="The user reads it. Nobody can sign in as the user or see what is theirs until you restore it."
        kind="danger"
      />
    )}
  </Entry>
);
