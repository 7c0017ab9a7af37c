import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { UsageError } from "../../workers/admin/arguments.ts";
import { readSecret } from "../../workers/admin/read-secret.ts";

test("a password is the first line of standard input, spaces included", async () => {
  const given = Readable.from(["correct ", "horse \n", "another\n"]);
  expect(await readSecret("password", given)).toBe("correct horse ");
});

test("a password may lack the end of its line", async () => {
  expect(await readSecret("password", Readable.from(["correct horse"]))).toBe("correct horse");
});

test.for([[], [""], ["\n"]])("standard input %j holds no password", async (given) => {
  await expect(readSecret("password", Readable.from(given))).rejects.toThrow(UsageError);
});
