import { expect, test } from "vitest";
import * as z from "zod";
import { issueInWords } from "../../functions/lib/text/issue-words.ts";

const Either = z.union([z.array(z.object({ id: z.int() })), z.string()]);

test.each<[z.ZodType, unknown, string]>([
  [z.string(), ["a"], "must be a text, not a list"],
  [z.string(), null, "must be a text, not null"],
  [z.int(), 1.5, "must be a whole number, not a fraction"],
  [z.int(), "1", "must be a number, not a text"],
  [z.boolean(), "yes", "must be true or false, not a text"],
  [z.array(z.int()), 1, "must be a list, not a number"],
  [z.object({}), "x", "must be an object, not a text"],
  [z.enum(["public", "private"]), "secret", "must be one of: public, private"],
  [z.literal(1), 2, "must be one of: 1"],
  [z.string().min(1), "", "must have at least 1 character"],
  [z.string().max(3), "four", "must have at most 3 characters"],
  [z.array(z.int()).max(2), [1, 2, 3], "must have at most 2 entries"],
  [z.int().min(1), 0, "must be at least 1"],
  [z.number().max(1), 2, "must be at most 1"],
  [z.email(), "x", "must be an e-mail address"],
  [z.strictObject({}), { tittle: "x" }, "has what does not belong there: tittle"],
  [Either, 1, "must be a list, not a number, or must be a text, not a number"],
  [Either, [{ id: "x" }], "must be a number, not a text"],
  [z.string().regex(/^a/, "must begin with a"), "b", "must begin with a"],
])("a refused value is described in plain words: %#", (schema, value, words) => {
  expect(schema.safeParse(value, { error: issueInWords }).error?.issues[0]?.message).toBe(words);
});
