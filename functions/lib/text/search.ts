import * as z from "zod";
import { about, applyOwn, documentedAs, flagText, text } from "./fields.ts";

export const MAX_SEARCH_CHARS = 200;

/** The search text as typed. */
export const SearchText = text(MAX_SEARCH_CHARS).optional();

/** Stands beside a search text. */
export const Forgiving = flagText
  .optional()
  .describe(
    "`true` forgives typing errors: if nothing public has the words of `q`, the closest words that something has are searched for, and `corrected_q` names them. Searches with quotes are never corrected.",
  );

/** Belongs to a page of a search, beside its items. */
export const Corrected = {
  corrected_q: z
    .string()
    .optional()
    .meta(
      about(
        "With `forgiving`: the words that were searched for in place of `q`. `next_href` has them.",
        "lantern river",
      ),
    ),
};

/** A comma list whose entries match `entry`. Errors name the parameter. */
export function listOf<Value>(entry: z.ZodType<Value, string>, max: number) {
  return z
    .string()
    .transform((list, ctx) => {
      const entries = list.split(",").map((one) => entry.safeParse(one.trim()));
      if (entries.length > max)
        ctx.addIssue({ code: "custom", message: `may have ${max} entries at most`, input: list });
      const wrong = entries.find(({ error }) => error)?.error?.issues[0];
      if (wrong) ctx.addIssue({ code: "custom", message: wrong.message, input: list });
      return entries.flatMap(({ data }) => (data === undefined ? [] : [data]));
    })
    .meta(
      documentedAs({
        type: "array",
        // Read when the document is built, not when the Worker starts.
        get items() {
          return schemaOf(entry);
        },
        maxItems: max,
      }),
    );
}

function schemaOf(entry: z.ZodType) {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(entry, { io: "input", override: applyOwn });
  return schema;
}

/** Documents a list as URNs. `listOf` would document the parsed ids. */
export const URNS = documentedAs({ type: "array", items: { type: "string" } });

/** Merges `ids` and `urns`, each id once. */
export const idsOf = (ids: number[] | undefined, urns: number[] | undefined): number[] | undefined =>
  (ids || urns) && [...new Set([...(ids ?? []), ...(urns ?? [])])];

interface Search {
  /** Words, which also match by prefix. */
  words?: string[];
  /** Quoted phrases, which match exactly. */
  phrases?: string[];
  forgiving?: true;
}

/** An unclosed quote counts as a space. An empty query adds no filter. */
export function parseSearch({
  q,
  forgiving,
}: {
  q?: string | undefined;
  forgiving?: boolean | undefined;
}): Search {
  const found = [...(q ?? "").matchAll(/"([^"]*)"|([^\s"]+)/g)];
  if (!found.length) return {};
  return {
    phrases: found.flatMap(([, phrase]) => phrase ?? []),
    words: found.flatMap(([, , word]) => word ?? []),
    ...(forgiving && { forgiving }),
  };
}
