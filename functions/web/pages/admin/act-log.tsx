import { type Act, listActs } from "../../../../db/queries/acts.ts";
import { Routes } from "../../../lib/http/route.ts";
import { showAdminError } from "./frame.tsx";
import { beforeIn, readerAsOperator } from "./guard.ts";
import { Entry, ROWS, showList } from "./list-page.tsx";
import { minute } from "./words.ts";

export const logPage = new Routes({ renderError: showAdminError });

const TABS = {
  all: "All",
  track: "Tracks",
  playlist: "Sets",
  comment: "Comments",
  picture: "Pictures",
  user: "Users",
  report: "Reports",
  app: "Apps",
  incident: "Incidents",
  invitation: "Invitations",
  plan: "Plans",
  mail: "Mails",
  delivery: "Deliveries",
  "dead-letter": "Dead letters",
};

logPage.page("/admin/log", async (c) => {
  const asked = c.req.query("about") ?? "all";
  const current = Object.hasOwn(TABS, asked) ? asked : "all";
  const target = { kind: current === "all" ? null : current, id: null };
  const page = { before: beforeIn(c), limit: ROWS };
  return showList(c, {
    title: "Log",
    section: "/admin/log",
    hint: "Every act of operators, on these pages and on the command line.",
    tabs: { parameter: "about", names: TABS, current },
    rows: await listActs(c.var.db, readerAsOperator(c), target, page),
    idOf: ({ id }) => id,
    empty: "Nobody has acted here yet.",
    row: (act) => <ActEntry act={act} />,
  });
});

/** Pages of an act's subject. */
const PAGES: Record<string, string> = {
  user: "/admin/users/",
  track: "/admin/tracks/",
  playlist: "/admin/sets/",
  comment: "/admin/comments/",
};

const ActEntry = ({
  act: { act, actor, created_at, target_kind, target_id, target, reason, details },
}: {
  act: Act;
}) => {
  const page = PAGES[target_kind];
  const name = target ?? target_id ?? "";
  return (
    <Entry
      title={
        <>
          <code>{act}</code> {page && target_id ? <a href={`${page}${target_id}`}>{name}</a> : name}
        </>
      }
      lines={[
        `${actor}, ${minute(created_at)}`,
        reason,
        Object.keys(details).length > 0 && <code>{JSON.stringify(details)}</code>,
      ]}
    />
  );
};

/** The newest acts on a user or a track. */
export const ActsOn = ({ acts }: { acts: Act[] }) => (
  <section>
    <h2>Acts</h2>
    {acts.length === 0 ? (
      <p class="empty">No operator has acted here.</p>
    ) : (
      <ul class="card connected admin-rows">
        {acts.map((act) => (
          <li>
            <ActEntry act={act} />
          </li>
        ))}
      </ul>
    )}
  </section>
);
