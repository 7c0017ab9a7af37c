import { expect, test } from "vitest";
import { Field } from "../../functions/ui/form.tsx";

const shown = (more: { rows?: number; inputmode?: "numeric" }) => {
  const state = { values: { title: "One\r\ntwo\nthree" }, problems: {} };
  return String(Field({ form: "edit", name: "title", label: "Title", state, ...more }));
};

test("a line of text keeps words apart that an app wrote on several lines", () => {
  expect(shown({})).toContain('value="One two three"');
});

test("a text of several lines keeps its lines", () => {
  expect(shown({ rows: 2 })).toContain("One\r\ntwo\nthree</textarea>");
});

test("a field of a number asks phones for the keys of numbers", () => {
  expect(shown({ inputmode: "numeric" })).toContain('inputmode="numeric"');
});
