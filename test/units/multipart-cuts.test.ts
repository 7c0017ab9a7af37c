import { expect, test } from "vitest";
import { artworkPart, dripped, inPieces, named, read } from "./multipart.support.ts";

/** Forms of every kind, each complete with its closing dashes. */
const KINDS: [string, string][] = [
  ["of one field", named("a", "b")],
  ["of two fields, the last empty", named("a", "b") + named("c", "")],
  ["with a file", artworkPart('filename="a.png"', "picture")],
  ["with a field behind a file", artworkPart('filename="a.png"', "picture") + named("a", "b")],
  ["with a file behind a field", named("a", "b") + artworkPart('filename="a.png"', "\r\n--b0undar\r\n-")],
  ["without a chosen file", artworkPart('filename=""', "") + named("a", "--")],
  ["behind a preamble", `preamble\r\n${named("a", "b")}`],
];
const ENDS = ["", "\r\n", "\r\nepilogue"];
const FORMS = KINDS.flatMap(([kind, parts]) =>
  ENDS.map((end): [string, string, string] => [
    `${kind} that ends with ${JSON.stringify(end)}`,
    `${parts}--b0undary--`,
    end,
  ]),
);

test.each(FORMS)("a form %s parses the same wherever the network cuts it", async (_form, closed, end) => {
  const bytes = Buffer.from(closed + end);
  const expected = await read(bytes);
  expect(expected.body).toBeDefined();
  for (let at = 1; at < bytes.byteLength; at++)
    expect([at, await read(inPieces(bytes.subarray(0, at), bytes.subarray(at)))]).toEqual([at, expected]);
  expect(await read(dripped(closed + end, 1))).toEqual(expected);
});

test.each(KINDS)("a form %s is refused wherever it ends early", async (_form, parts) => {
  const bytes = Buffer.from(`${parts}--b0undary--`);
  for (let length = 1; length < bytes.byteLength; length++)
    expect([length, (await read(bytes.subarray(0, length))).status]).toEqual([length, 400]);
});
