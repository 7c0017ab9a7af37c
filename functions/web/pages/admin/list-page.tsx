import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { AppEnv } from "../../../lib/http/env.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { Form, type FormProps } from "../../../ui/form.tsx";
import { formToken } from "../../../ui/form-guard.ts";
import { ListNav } from "../rows/paging.tsx";
import { Tabs } from "../rows/tabs.tsx";
import type { Acting } from "./act-form.tsx";
import { type Section, showAdmin } from "./frame.tsx";
import { OPERATE } from "./guard.ts";

/** Rows per page. */
export const ROWS = 50;

interface ListPage<Row> {
  title: string;
  section: Section;
  hint?: Child;
  /** Lists of the page, by the value of `parameter`. */
  tabs?: { parameter: string; names: Record<string, string>; current: string };
  /** Shown above the list, such as a search. */
  above?: Child;
  rows: Row[];
  idOf: (row: Row) => number;
  empty: string;
  row: (row: Row, acting: Acting) => Child;
}

/** Shows a list to operators. */
export function showList<Row>(c: Context<AppEnv>, list: ListPage<Row>): Response {
  const reader = readerOf(c);
  const acting = actingOf(c);
  const last = list.rows.length === ROWS ? list.rows.at(-1) : undefined;
  return showAdmin(
    c,
    { title: list.title, section: list.section },
    <section>
      <header class="page-head">
        <h1>{list.title}</h1>
        {list.hint && <p class="hint">{list.hint}</p>}
      </header>
      {list.above}
      {list.tabs && (
        <Tabs
          label={list.title}
          path={reader.path}
          parameter={list.tabs.parameter}
          tabs={list.tabs.names}
          current={list.tabs.current}
        />
      )}
      {list.rows.length === 0 ? (
        <p class="empty">{list.empty}</p>
      ) : (
        <ul class="card connected admin-rows">
          {list.rows.map((row) => (
            <li>{list.row(row, acting)}</li>
          ))}
        </ul>
      )}
      <ListNav reader={reader} next={last === undefined ? null : list.idOf(last)} label="Pages" />
    </section>,
  );
}

export const actingOf = (c: Context<AppEnv>): Acting => ({
  token: formToken(c, OPERATE),
  page: readerOf(c).path,
});

type NewEntryProps = Omit<FormProps, "action" | "token" | "hidden"> & {
  c: Context<AppEnv>;
  title: string;
  /** The list's path, to which the form is sent and which is shown again. */
  path: Section;
};

/** The form above a list that adds to it. */
export const NewEntry = ({ c, title, path, ...form }: NewEntryProps) => (
  <section class="card own-section">
    <h2>{title}</h2>
    <Form {...form} action={path} token={formToken(c, OPERATE)} hidden={{ page: path }} />
  </section>
);

/** Facts about one thing. */
export const FactList = ({ facts }: { facts: [name: string, value: Child][] }) => (
  <dl class="admin-facts">
    {facts.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

interface EntryProps {
  title: Child;
  /** Lines below the title; empty ones are left out. */
  lines: Child[];
  children?: Child;
}

/** A row: facts at the left, actions at the right. */
export const Entry = ({ title, lines, children }: EntryProps) => (
  <>
    <div class="delivery">
      <strong>{title}</strong>
      {lines.map((line) => line && <p class="hint">{line}</p>)}
    </div>
    {children && <div class="admin-acts">{children}</div>}
  </>
);
