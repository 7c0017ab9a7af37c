import { listDeprecatedApps } from "../../db/queries/deprecations.ts";
import { DEPRECATIONS, isEnding } from "../../functions/lib/http/deprecations.ts";
import type { Commands } from "./commands.ts";
import { rowsIn } from "./rows.ts";

export const deprecationCommands: Commands = {
  async "deprecation list"({ db }, given) {
    const { from, limit } = rowsIn(given, "before");
    return {
      deprecations: DEPRECATIONS.filter(isEnding).map(({ id, title, ends }) => ({ id, title, ends })),
      apps: await listDeprecatedApps(db, "command line", { before: from, limit }),
    };
  },
};
