import { expect, test } from "vitest";
import { sanitizeHtml } from "../../functions/lib/text/html.ts";
import { asset } from "./assets.support.ts";

interface Fields {
  problemsOf(error: object): object;
  fieldsOf(values: object): { description: string | null };
  valuesOf(track: object): { title: string; sharing: string; description: string };
}

const fields = () => asset("upload/upload-fields.ts") as Promise<Fields>;

test.for([
  ["First line\nsecond & last\n\n1 < 2", "First line\nsecond & last\n\n1 < 2"],
  ["See <b>this</b>", "See <b>this</b>"],
  ["", ""],
] as const)("a description is shown after a reload as it was typed: %j", async ([typed, shown]) => {
  const { fieldsOf, valuesOf } = await fields();
  const { description } = fieldsOf({ title: "Song", sharing: "private", description: typed });
  const track = {
    title: "Song",
    sharing: "private",
    artists: [],
    description: description && sanitizeHtml(description),
  };
  expect(valuesOf(track).description).toBe(shown);
});

test("a track without a description has an empty field", async () => {
  const { fieldsOf, valuesOf } = await fields();
  expect(fieldsOf({ title: "Song" }).description).toBeNull();
  expect(valuesOf({ title: "Song", sharing: "public", artists: [], description: null }).description).toBe("");
});

test("what is wrong with a field that the form has no line for is said above it", async () => {
  const { problemsOf } = await fields();
  const causes = ["track[metadata_artist]: is too long", "track[sharing]: the track was taken down"];
  expect(problemsOf({ causes, message: "Is too long. The track was taken down" })).toEqual({
    fields: { artist: "is too long" },
    rest: "Is too long. The track was taken down",
  });
});

test("an encode is said to be whole at its end alone, as on the page of one's tracks", async () => {
  const { percentText } = (await asset("upload/upload-kinds.ts")) as { percentText(share: number): string };
  expect([0, 0.999, 1].map(percentText)).toEqual(["0%", "99%", "100%"]);
});

test("a voice memo of a phone is announced with a type that the API takes", async () => {
  const { audioTypeOf } = (await asset("upload/upload-kinds.ts")) as {
    audioTypeOf(file: { name: string; type: string }): string | undefined;
  };
  const typeOf = (name: string, type: string) => audioTypeOf({ name, type });
  expect(typeOf("memo.3gp", "video/3gpp")).toBe("audio/3gpp");
  expect(typeOf("MEMO.3GA", "")).toBe("audio/3gpp");
  expect(typeOf("memo.awb", "")).toBe("audio/amr-wb");
  expect(typeOf("page.html", "text/html")).toBeUndefined();
});
