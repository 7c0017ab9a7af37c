import { expect, test } from "vitest";
import { readable } from "../../workers/admin/readable.ts";

test("a reply is printed one field a line, and its lists one row a paragraph", () => {
  expect(readable({ id: 7, tags: ["a", "b"], plan: null })).toBe("id    7\ntags  a b\nplan  -\n");
  expect(readable({ users: [{ id: 1 }, { id: 2 }] })).toBe("id  1\n\nid  2\n\n");
  expect(readable({ due: [] })).toBe("due  none\n");
});

test("a title that turns the reading direction shows how", () => {
  expect(readable({ title: "Song \u202egnp.\u2066x", reports: ["\u200f"] })).toBe(
    "title    Song \\u202egnp.\\u2066x\nreports  \\u200f\n",
  );
});

test("words of strangers forge no fields and send nothing to the terminal", () => {
  const title = "Song\nreports  0\u001b[2J\u009b2J";
  expect(readable({ title })).toBe("title  Song\\nreports  0\\u001b[2J\\u009b2J\n");
  expect(readable({ words: [title] })).toBe("words  Song\\nreports  0\\u001b[2J\\u009b2J\n");
});
