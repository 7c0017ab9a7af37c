import type { Child } from "hono/jsx";
import { listOverdue } from "../../../../db/queries/overdue.ts";
import { Routes } from "../../../lib/http/route.ts";
import { showAdmin, showAdminError } from "./frame.tsx";
import { readerAsOperator } from "./guard.ts";
import { Entry } from "./list-page.tsx";
import { minute } from "./words.ts";

export const overduePage = new Routes({ renderError: showAdminError });

overduePage.page("/admin/overdue", async (c) => {
  const { publications, imports } = await listOverdue(c.var.db, readerAsOperator(c));
  return showAdmin(
    c,
    { title: "Overdue", section: "/admin" },
    <>
      <header class="page-head">
        <h1>Overdue</h1>
        <p class="hint">Each is tried again every minute. If one stays, the log of the crons says why.</p>
      </header>
      <List
        title="Publications"
        rows={publications.map(({ user_id, user, tracks, sets, publish_at }) => (
          <Entry
            title={<a href={`/admin/users/${user_id}`}>{user}</a>}
            lines={[`${tracks} tracks and ${sets} sets`, `Due since ${minute(publish_at)}`]}
          />
        ))}
      />
      <List
        title="Podcasts moving in"
        rows={imports.map(({ title, user_id, user, episodes_left, next_run_at }) => (
          <Entry
            title={title}
            lines={[
              <a href={`/admin/users/${user_id}`}>{user}</a>,
              `${episodes_left} episodes left`,
              `Due since ${minute(next_run_at)}`,
            ]}
          />
        ))}
      />
    </>,
  );
});

const List = ({ title, rows }: { title: string; rows: Child[] }) => (
  <section class="admin-recounts">
    <h2>{title}</h2>
    {rows.length === 0 ? (
      <p class="empty">None is overdue.</p>
    ) : (
      <ul class="card connected admin-rows">
        {rows.map((row) => (
          <li>{row}</li>
        ))}
      </ul>
    )}
  </section>
);
