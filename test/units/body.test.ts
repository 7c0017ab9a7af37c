import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import { HttpError } from "../../functions/lib/errors/http-error.ts";
import { type BodyType, readBody } from "../../functions/lib/http/body/read.ts";

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** The parsed body, or the status and causes of its refusal. */
async function read(
  body: BodyInit,
  type: string | undefined,
  types: BodyType[] = ["json", "form"],
  more = {},
) {
  const app = new Hono();
  app.post("/", async (c) => c.json({ body: (await readBody(c, types)) ?? null }));
  app.onError((error, c) =>
    error instanceof HttpError
      ? c.json({ status: error.status, causes: error.causes })
      : c.json({ status: 500, causes: [String(error)] }),
  );
  const headers = { ...(type !== undefined && { "Content-Type": type }), ...more };
  // Bytes, because a string would set its own Content-Type.
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const reply = await app.request("/", { method: "POST", body: bytes, headers });
  return (await reply.json()) as { body?: unknown; status?: number; causes?: string[] };
}

test.each([
  JSON_TYPE,
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "application/json ;charset=UTF-8",
])("%s is JSON", async (type) => {
  expect(await read('{"a":[1,"ü"]}', type)).toEqual({ body: { a: [1, "ü"] } });
});

test.each([undefined, "", "text/plain", "application/jsonx", "text/json", "multipart/form-data; boundary=x"])(
  "a body of type %j is 415",
  async (type) => {
    expect((await read("{}", type)).status).toBe(415);
  },
);

test("415: a media type that the route does not accept, with the accepted ones", async () => {
  const refused = await read("a=1", FORM_TYPE, ["json"]);
  expect(refused).toEqual({ status: 415, causes: [`Send the body as ${JSON_TYPE}`] });
});

test("a compressed body is 415", async () => {
  expect((await read("{}", JSON_TYPE, ["json"], { "Content-Encoding": "gzip" })).status).toBe(415);
});

test.each(["", " ", "{", '{"a":}', '{"a":1}x', "undefined", "{'a':1}", "[1,]", '{"a":"\u0001"}', "NaN"])(
  "%j is malformed JSON: 400",
  async (body) => {
    expect((await read(body, JSON_TYPE)).status).toBe(400);
  },
);

test("bytes that are not UTF-8 are 400, in JSON and in forms", async () => {
  const bytes = new Uint8Array([...Buffer.from('{"a":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
  expect((await read(bytes, JSON_TYPE)).status).toBe(400);
  expect((await read(bytes, FORM_TYPE)).status).toBe(400);
});

test("twenty levels of nesting pass, twenty-one do not", async () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect((await read(nested(20), JSON_TYPE)).status).toBeUndefined();
  expect((await read(nested(21), JSON_TYPE)).status).toBe(400);
});

test("a bomb of half a million brackets never reaches the parser", async () => {
  const parse = vi.spyOn(JSON, "parse");
  for (const bomb of ["[".repeat(500_000), '{"a":'.repeat(100_000)]) {
    expect((await read(bomb, JSON_TYPE)).status).toBe(400);
    expect(parse).not.toHaveBeenCalledWith(bomb);
  }
  parse.mockRestore();
});

test("brackets in strings do not nest, and an escaped quote ends no string", async () => {
  const text = "[{".repeat(50);
  expect((await read(JSON.stringify({ a: text }), JSON_TYPE)).body).toEqual({ a: text });
  expect((await read(JSON.stringify({ a: `\\"${text}` }), JSON_TYPE)).body).toEqual({ a: `\\"${text}` });
  expect((await read(`{"a":"\\\\","b":${"[".repeat(30)}${"]".repeat(30)}}`, JSON_TYPE)).status).toBe(400);
});

test("JSON names cannot reach a prototype", async () => {
  await read('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}', JSON_TYPE);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test.each([
  ["a=1&b=2", { a: "1", b: "2" }],
  ["track%5Btitle%5D=x+y&track[sharing]=private", { track: { title: "x y", sharing: "private" } }],
  ["a=%26%3D%C3%BC", { a: "&=ü" }],
  ["a=", { a: "" }],
  ["", {}],
])("the form %j is parsed", async (form, body) => {
  expect(await read(form, FORM_TYPE)).toEqual({ body });
});

test.each(["a=1&a=2", "a=1&a=1", "track[title]=a&track%5Btitle%5D=b"])(
  "the form %j repeats a field: 400",
  async (form) => {
    const refused = await read(form, FORM_TYPE);
    expect(refused.status).toBe(400);
    expect(refused.causes?.[0]).toContain("more than once");
  },
);

test.each(["a=%", "a=%2", "a=%zz", "%=1", "track=1&track[title]=x"])(
  "the form %j is malformed: 400",
  async (form) => {
    expect((await read(form, FORM_TYPE)).status).toBe(400);
  },
);

test("400: a field is an object first and a value later", async () => {
  expect((await read("track[title]=x&track=1", FORM_TYPE)).status).toBe(400);
});

test("form names cannot reach a prototype", async () => {
  await read("__proto__[polluted]=1&constructor[prototype]=1", FORM_TYPE);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const MIB = 2 ** 20;

test.each([
  [JSON_TYPE, MIB, `"${"x".repeat(MIB - 2)}"`],
  [FORM_TYPE, 64 * 1024, `a=${"x".repeat(64 * 1024 - 2)}`],
])("413: %s of more than %d bytes; exactly as many pass", async (type, _, body) => {
  expect((await read(body, type)).status).toBeUndefined();
  expect((await read(body.replace("x", "xx"), type)).status).toBe(413);
});

test("a body of unknown length is cut off when it grows too large", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 64 * 1024;
      controller.enqueue(new Uint8Array(64 * 1024).fill(32));
    },
  });
  const app = new Hono();
  app.post("/", async (c) => c.json(await readBody(c, ["json"])));
  app.onError((error, c) => c.json({}, (error as HttpError).status as 413));
  const request = new Request("http://x/", {
    method: "POST",
    headers: { "Content-Type": JSON_TYPE },
    body: endless,
    duplex: "half",
  } as RequestInit);
  expect((await app.request(request)).status).toBe(413);
  expect(sent).toBeLessThan(2 * MIB);
});
