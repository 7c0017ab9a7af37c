import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

const FUNCTIONS = `
  SELECT p.proname AS name, pg_get_functiondef(p.oid) AS text, array(
    SELECT DISTINCT ON (t.tgrelid) json_build_object('table', t.tgrelid::regclass, 'rows', coalesce(t.tgnewtable, t.tgoldtable))
    FROM pg_trigger t WHERE t.tgfoid = p.oid ORDER BY t.tgrelid, t.tgname) AS triggers
  FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
  WHERE l.lanname = 'plpgsql' AND p.pronamespace = 'public'::regnamespace AND p.proname ~ $1 ORDER BY p.proname`;

/** A table whose trigger calls the function, and the name under which the function sees its changed rows. */
interface Trigger {
  table: string;
  rows: string | null;
}

interface Written {
  name: string;
  text: string;
  triggers: Trigger[];
}

/** PostgreSQL's type of a variable whose columns are those of the row that it is given. */
const RECORD = "record";

/**
 * Lists what PostgreSQL refuses in statements of PL/pgSQL functions, such as calls of functions with other parameters.
 * PostgreSQL checks statements when it makes a function of SQL, but only when it runs one of PL/pgSQL. So PL/pgSQL prints how it
 * reads a function, and each statement becomes a function of SQL with the variables for parameters. Texts that `EXECUTE`
 * composes are not seen.
 */
export async function refusedStatements(owner: pg.Client, dataDir: string, names = ""): Promise<string[]> {
  const { rows } = await owner.query<Written>(FUNCTIONS, [names]);
  const named = await owner.query<{ oid: number; name: string }>(
    "SELECT oid, oid::regtype::text AS name FROM pg_type",
  );
  const typeNames = new Map(named.rows.map(({ oid, name }) => [String(oid), name]));
  const trees = await readTrees(owner, join(dataDir, "logs/postgres.log"), rows);
  const refused = new Set<string>();
  for (const [at, { name, triggers }] of rows.entries()) {
    for (const trigger of triggers.length ? triggers : [undefined])
      for (const message of await refusedIn(owner, linesFor(trigger, trees[at] ?? []), typeNames, trigger))
        refused.add(`${name}: ${message}`);
  }
  return [...refused];
}

/** Returns the lines that PL/pgSQL writes into the server's log for each function. Each statement is one line. */
async function readTrees(owner: pg.Client, log: string, functions: Written[]): Promise<string[][]> {
  const { length } = readFileSync(log, "utf8");
  await owner.query("BEGIN; SET LOCAL check_function_bodies = on");
  for (const { text } of functions) {
    const [head, body = "", tail] = text.split("$function$");
    const line = body.replace(/--.*$/gm, "").replace(/\s+/g, " ");
    await owner.query(`${head}$function$\n#option dump\n${line}$function$${tail}`);
  }
  await owner.query("ROLLBACK");
  const [, ...trees] = readFileSync(log, "utf8").slice(length).split("\nExecution tree of ");
  if (trees.length !== functions.length)
    throw new Error(`${trees.length} trees of ${functions.length} functions`);
  return trees.map((tree) => tree.split("\n"));
}

/** Returns the lines that run for a trigger's table: all but those that `CASE TG_TABLE_NAME` keeps for other tables. */
function linesFor(trigger: Trigger | undefined, tree: string[]): string[] {
  const [, number] = tree.join("\n").match(/CASE (\d+) 'TG_TABLE_NAME'/) ?? [];
  const branch = new RegExp(`WHEN '"__Case__Variable_${number}__" IN \\(([^)]+)\\)'`);
  let skipped = Number.POSITIVE_INFINITY;
  return tree.filter((line) => {
    const indent = line.search(/[^\d: ]/);
    if (indent <= skipped && !/^ +THEN$/.test(line)) {
      const [, tables] = line.match(branch) ?? [];
      skipped = tables && !tables.includes(`'${trigger?.table}'`) ? indent : Number.POSITIVE_INFINITY;
    }
    return skipped === Number.POSITIVE_INFINITY;
  });
}

async function refusedIn(
  owner: pg.Client,
  tree: string[],
  typeNames: Map<string, string>,
  trigger?: Trigger,
): Promise<string[]> {
  const refused: string[] = [];
  const types = new Map<string, string>();
  const takes = async (sql: string, statement: string) => {
    try {
      await owner.query(`SAVEPOINT before; ${sql}`);
      return true;
    } catch (error) {
      await owner.query("ROLLBACK TO before");
      refused.push(`${(error as Error).message}: ${statement}`);
      return false;
    }
  };
  await owner.query("BEGIN; SET LOCAL check_function_bodies = on");
  if (trigger?.rows) await owner.query(`CREATE TEMP TABLE ${trigger.rows} (LIKE ${trigger.table})`);
  let declared = "";
  for (const [at, line] of tree.entries()) {
    const [, variable = declared, type = ""] = line.match(VARIABLE) ?? [];
    declared = variable;
    if (type)
      types.set(declared, (/^(?:new|old)$/.test(declared) && trigger?.table) || (typeNames.get(type) ?? ""));
    const statement = statementOf(line);
    const unknown = [...types].filter(([, type]) => type === RECORD);
    if (!statement || unknown.some(([name]) => statement.includes(` ${name}.`))) continue;
    const known = [...types].filter(([, type]) => type !== RECORD);
    const parameters = known.map(([name, type]) => `${pg.escapeIdentifier(name)} ${type}`).join();
    const body = `RETURNS void LANGUAGE sql AS $_$ ${statement} $_$`;
    if (!(await takes(`CREATE OR REPLACE FUNCTION pg_temp.checked(${parameters}) ${body}`, statement)))
      continue;
    const target = /^ +DEFAULT/.test(line) ? declared : targetOf(line, tree[at + 1]);
    if (!target || types.get(target) !== RECORD) continue;
    const row = `pg_temp."row ${at}"`;
    const values = known.map(([name, type]) => `coalesce(NULL::${type}) AS ${pg.escapeIdentifier(name)}`);
    const rows = / (?:EXECSQL|FORS) /.test(line)
      ? statement
      : statement.replace(/^SELECT (.*)$/, "SELECT ($1).*");
    const view = `CREATE VIEW ${row} AS SELECT r.* FROM ${[...values, `LATERAL (${rows}) r`].join()}`;
    if (await takes(view, statement)) types.set(target, row);
  }
  await owner.query("ROLLBACK");
  return refused;
}

const VARIABLE = /^ +entry \d+: (?:VAR|REC|PROMISE \d+) +(\S+) .*typoid (\d+)/;

/** Returns the statement of a line of a tree. An expression becomes one. */
function statementOf(line: string): string | undefined {
  const [, kind = "", text] = line.match(/^([^']*)'(.*)'[^']*$/) ?? [];
  if (text === undefined || /^ +WHEN|: +RAISE/.test(kind)) return undefined;
  const isStatement = /EXECSQL|PERFORM|FORS|RETURN QUERY/.test(kind) && !/EXECUTE/.test(kind);
  return isStatement ? text : `SELECT ${text.replace(/ASSIGN/.test(kind) ? /^.*?:=/ : "", "")}`;
}

/** Returns the variable that takes the row of a line's statement. The next line may name it. */
function targetOf(line: string, next = ""): string | undefined {
  if (/EXECUTE '/.test(line)) return undefined;
  const named =
    line.match(/: +FORS (\w+)/) ??
    line.match(/ASSIGN var \d+ := '(\w+) :=/) ??
    next.match(/^ +INTO target = \d+ (\w+)/);
  return named?.[1];
}
