import { expect, test } from "vitest";
import { parseHead } from "../../functions/lib/http/body/multipart-head.ts";
import { inLinearTime } from "../support/linear.ts";
import { artwork, dripped, named, part, read, TYPE, whole } from "./multipart.support.ts";

test("a body of the runtime's own FormData arrives unchanged", async () => {
  const form = new FormData();
  form.set("track[title]", 'Übung "eins"\r\nzwei');
  form.set(
    "track[artwork_data]",
    new Blob([Buffer.from([0, 255, 13, 10, 45, 45])], { type: "image/png" }),
    '日本 "x".png',
  );
  form.set("format", "json");
  const request = new Request("http://x/", { method: "POST", body: form });
  const read_ = await read(await request.arrayBuffer(), request.headers.get("Content-Type") ?? "");
  expect(read_).toEqual({
    body: {
      track: {
        title: 'Übung "eins"\r\nzwei',
        artwork_data: { filename: '日本 "x".png', type: "image/png", bytes: "\x00\xff\r\n--" },
      },
      format: "json",
    },
  });
});

test.each([1, 2, 3, 7, 64])("a body in pieces of %i bytes parses the same", async (size) => {
  const content = "\r\n--b0undar\r\n--b0undar-\r\r\n--";
  const body = `ignored\r\n${whole(
    named("a", ""),
    named("b", content),
    part('Content-Disposition: form-data; name="track[artwork_data]"; filename="a.png"', content),
    named("c", "-"),
  )}ignored as well`;
  expect(await read(dripped(body, size))).toEqual({
    body: {
      a: "",
      b: content,
      c: "-",
      track: { artwork_data: { filename: "a.png", type: "application/octet-stream", bytes: content } },
    },
  });
});

test("a form without a chosen file has none", async () => {
  expect(await read(artwork('filename=""', ""))).toEqual({ body: {} });
});

test.each<[string, BodyInit, number, string]>([
  ["nothing", "", 400, "closing delimiter"],
  ["garbage (X34)", "x".repeat(10_000), 400, "before its closing delimiter"],
  [
    "another boundary (X34)",
    whole(named("a", "b")).replaceAll("b0undary", "other"),
    400,
    "closing delimiter",
  ],
  ["no closing delimiter (X34)", named("a", "b"), 400, "closing delimiter"],
  [
    "an end within a header (X34)",
    "--b0undary\r\nContent-Disposition: form-data; na",
    400,
    "closing delimiter",
  ],
  [
    "an end within the content (X34)",
    part('Content-Disposition: form-data; name="a"', "b").slice(0, -3),
    400,
    "closing",
  ],
  ["delimiters with nothing between (X34)", "--b0undary\r\n--b0undary\r\n--b0undary--", 400, "no header"],
  ["a part with an empty header (X34)", whole("--b0undary\r\n\r\nx\r\n"), 400, "Content-Disposition"],
  ["a part without a name (X34)", whole(part("Content-Disposition: form-data", "b")), 400, "no name"],
  ["an empty name", whole(named("", "b")), 400, "no name"],
  [
    "another disposition (X34)",
    whole(part('Content-Disposition: attachment; name="a"', "b")),
    400,
    "no name",
  ],
  [
    "two dispositions (X34)",
    whole(part('Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"', "")),
    400,
    "more than one",
  ],
  [
    "a folded header (X34)",
    whole(part('Content-Disposition: form-data;\r\n name="a"', "b")),
    400,
    "malformed",
  ],
  [
    "more on the delimiter's line (X34)",
    whole('--b0undaryX\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'),
    400,
    "at the end of its line",
  ],
  [
    "10,000 parts (X34)",
    whole(...Array.from({ length: 10_000 }, (_, n) => named(`a${n}`, ""))),
    413,
    "200 parts",
  ],
  ["a name of 1 MB (X34)", whole(named("a".repeat(1_000_000), "b")), 413, "header"],
  ["a name of 201 characters", whole(named("a".repeat(201), "b")), 422, "200 characters"],
  ["a field twice (X34)", whole(named("a", "b"), named("a", "b")), 400, "a was sent more than once"],
  [
    "a value and an object (X34)",
    whole(named("track", "b"), named("track[title]", "b")),
    400,
    "as an object",
  ],
  [
    "nested (X34)",
    whole(
      part('Content-Disposition: form-data; name="a"\r\nContent-Type: multipart/mixed; boundary=x', "--x--"),
    ),
    400,
    "multipart itself",
  ],
  [
    "another transfer encoding",
    whole(part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64', "eA==")),
    400,
    "transfer encoding",
  ],
  [
    "fields of 64 kB and more",
    whole(named("a", "x".repeat(40_000)), named("b", "x".repeat(40_000))),
    413,
    "fields may have 65536 bytes",
  ],
  [
    "a file nobody asked for",
    whole(part('Content-Disposition: form-data; name="x"; filename="y"', "z")),
    422,
    "x: no file",
  ],
  ["an empty file", artwork('filename="a.png"', ""), 422, "track[artwork_data]: the file is empty"],
  ["a file that is too large", artwork('filename="a.png"', "x".repeat(1_000_001)), 413, "1000000 bytes"],
  ["NUL in a file name (X28)", artwork('filename="a\0.png"'), 422, "file name"],
  ["line ends in a file name (X28, X51)", artwork('filename="a%0D%0AX-Y: z.png"'), 422, "file name"],
  ["a file name of 256 characters", artwork(`filename="${"a".repeat(256)}"`), 422, "255 characters"],
  ["a file name that is not UTF-8 (X30)", artwork("filename*=UTF-8''%FF"), 422, "UTF-8"],
  ["a header that is not UTF-8 (X30)", Buffer.from(whole(named("a\xff", "b")), "latin1"), 422, "UTF-8"],
  [
    "a field that is not UTF-8 (X30)",
    Buffer.from(whole(named("a", "\xff")), "latin1"),
    422,
    "a: is not valid utf-8",
  ],
  [
    "an unknown charset",
    whole(part('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=x', "b")),
    415,
    "charset",
  ],
  [
    "an endless epilogue",
    `${whole(named("a", "b"))}${"x".repeat(600_000)}`,
    400,
    "after its closing delimiter",
  ],
])("%s is refused", async (_what, body, status, cause) => {
  const refused = await read(body);
  expect(refused).toMatchObject({ status });
  expect(refused.causes?.join()).toContain(cause);
});

test("a file that repeats is refused before it is read, or many would fill the memory", async () => {
  const copy = artwork('filename="a.png"', "x".repeat(900_000)).replace("--b0undary--\r\n", "");
  let sent = 0;
  const long = new ReadableStream({
    type: "bytes",
    pull(controller) {
      sent++;
      controller.enqueue(new TextEncoder().encode(sent < 50 ? copy : "--b0undary--\r\n"));
      if (sent < 50) return;
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  const refused = await read(long, TYPE, "cut");
  expect(refused).toEqual({ status: 400, causes: ["track[artwork_data] was sent more than once"] });
  expect(sent).toBeLessThan(10);
});

test("a part that names no file is not kept in part, though large files are cut", async () => {
  const unnamed = part('Content-Disposition: form-data; name="x"; filename=""', "x".repeat(10_000));
  expect(await read(whole(unnamed), TYPE, "cut")).toMatchObject({ status: 413 });
});

test.each([
  "multipart/form-data",
  "multipart/form-data; boundary=",
  'multipart/form-data; boundary="a b "',
  `multipart/form-data; boundary=${"x".repeat(71)}`,
])("%s has no boundary (X34)", async (type) => {
  expect(await read(whole(named("a", "b")), type)).toMatchObject({
    status: 400,
    causes: ["The Content-Type has no boundary"],
  });
});

test("names of prototypes are plain fields (X21)", async () => {
  const { body } = await read(whole(named("__proto__[polluted]", "1"), named("constructor", "2")));
  expect(body?.constructor).toBe("2");
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("a field may state its charset", async () => {
  const head = 'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=ISO-8859-1';
  expect(await read(Buffer.from(whole(part(head, "\xfc")), "latin1"))).toEqual({ body: { a: "ü" } });
});

test("blanks within a part's header cost no square of their number (X81)", () => {
  const head = `\r\nContent-Disposition: form-data; name="a"\r\nX: y${" ".repeat(2_000_000)}z`;
  expect(inLinearTime(() => parseHead(Buffer.from(head)))).toMatchObject({ name: "a" });
});
