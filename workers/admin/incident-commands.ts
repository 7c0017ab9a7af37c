import { listIncidents, openIncident, updateIncident } from "../../db/queries/incidents.ts";
import { IncidentText, NewIncident } from "../../functions/api/moderation/incident-input.ts";
import { REFUSALS } from "../../functions/api/moderation/refusals.ts";
import { plainIdText } from "../../functions/lib/text/fields.ts";
import type { Invocation } from "./arguments.ts";
import { check, UsageError } from "./arguments.ts";
import { by } from "./by.ts";
import type { Commands, Target } from "./commands.ts";
import { rowsIn } from "./rows.ts";

const OPTIONS: Record<string, string> = { parts: "part", beginsAt: "begins", endsAt: "ends" };

export const incidentCommands: Commands = {
  async "incident open"({ db }, given) {
    const read = NewIncident.safeParse({
      title: given.required("title"),
      text: given.required("text"),
      parts: given.all("part"),
      beginsAt: given.option("begins") ?? "",
      endsAt: given.option("ends") ?? "",
    });
    if (!read.success) {
      const [issue] = read.error.issues;
      const [name = ""] = issue?.path ?? [];
      throw new UsageError(`--${OPTIONS[String(name)] ?? String(name)} ${issue?.message}`);
    }
    return { id: await openIncident(db, by(given), read.data), kind: read.data.kind };
  },

  "incident update": (target, given) => write(target, given, false),
  "incident close": (target, given) => write(target, given, true),

  async "incident list"({ db }, given) {
    const { from, limit } = rowsIn(given, "before");
    return { incidents: await listIncidents(db, "command line", { before: from, limit }) };
  },
};

async function write({ db }: Target, given: Invocation, close: boolean) {
  const id = check(plainIdText, "id", given.required("id"));
  const text = check(IncidentText, "text", given.required("text"));
  const outcome = await updateIncident(db, by(given), { id, text, close });
  if (outcome !== "done") throw new UsageError(REFUSALS.incident[outcome]);
  return { id, state: close ? "over" : "updated" };
}
