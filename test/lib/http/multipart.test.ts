import { beforeAll, expect, test } from "vitest";
import { causes } from "../../api/uploads/uploads.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createTrack } from "../../support/tracks.ts";

const TYPE = { "Content-Type": "multipart/form-data; boundary=b0undary" };
const DISPOSITION = "Content-Disposition: form-data";

let ana: Person;
let paths: [method: "post" | "put", path: string][];

beforeAll(async () => {
  ana = await createUser();
  paths = [
    ["post", "/tracks"],
    ["put", `/tracks/${(await createTrack(ana)).id}`],
    ["put", "/me"],
  ];
});

const part = (head: string, content = "x") => `--b0undary\r\n${head}\r\n\r\n${content}\r\n`;
const whole = (...parts: string[]) => `${parts.join("")}--b0undary--\r\n`;
const field = (name: string, content = "x") => part(`${DISPOSITION}; name="${name}"`, content);
const many = Array.from({ length: 10_000 }, (_, number) => field(`a${number}`));

test.each<[string, BodyInit, Record<string, string>, number[]]>([
  ["no boundary", whole(field("a")), { "Content-Type": "multipart/form-data" }, [400]],
  ["nothing", "", TYPE, [400]],
  ["garbage", "\0\xff".repeat(200_000), TYPE, [400]],
  ["truncated in the header", "--b0undary\r\nContent-Dispo", TYPE, [400]],
  ["truncated in the content", `${field("a")}`, TYPE, [400]],
  ["10,000 parts", whole(...many), TYPE, [413]],
  ["a name of 1 MB", whole(field("a".repeat(1_000_000))), TYPE, [413]],
  ["a field of 1 MB", whole(field("a", "b".repeat(1_000_000))), TYPE, [413]],
  ["a part twice", whole(field("a"), field("a")), TYPE, [400]],
  ["a part without a name", whole(part(DISPOSITION)), TYPE, [400]],
  ["a part in a part", whole(part(`${DISPOSITION}; name="a"\r\nContent-Type: multipart/mixed`)), TYPE, [400]],
  ["a file nobody asked for", whole(part(`${DISPOSITION}; name="a"; filename="b"`)), TYPE, [422]],
  ["NUL in a file name (X28)", whole(part(`${DISPOSITION}; name="a"; filename="\0"`)), TYPE, [422]],
  ["line ends in a name (X51)", whole(field("a%0D%0AX-Y: z")), TYPE, [422]],
  ["a field that is not UTF-8 (X30)", Buffer.from(whole(field("a", "\xff")), "latin1"), TYPE, [422]],
  ["compressed (X35)", whole(field("a")), { ...TYPE, "Content-Encoding": "gzip" }, [415]],
])("%s is refused by each route that accepts forms (X34)", async (_what, raw, headers, statuses) => {
  for (const [method, path] of paths) {
    const reply = await api.as(ana)[method]<ErrorReply>(path, { raw, headers });
    expect(statuses, `${method} ${path}: ${causes(reply)}`).toContain(reply.status);
    expect(reply.body).toMatchObject({ code: reply.status, error: null });
  }
});

test("a route without forms lists the types it accepts (X35)", async () => {
  const reply = await api.as(ana).post<ErrorReply>("/uploads", { raw: whole(field("a")), headers: TYPE });
  expect(reply.status).toBe(415);
  expect(causes(reply)).toContain("application/json");
});

test("a route that takes a file in a form says so to a client that sends the bare file (X35)", async () => {
  const sent = { raw: "RIFF", headers: { "Content-Type": "audio/wav" } };
  const reply = await api.as(ana).post<ErrorReply>("/tracks", sent);
  expect(reply.status).toBe(415);
  expect(causes(reply)).toContain("multipart/form-data");
});

test("a form's names cannot reach a prototype (X21)", async () => {
  const raw = whole(
    field("__proto__[polluted]"),
    field("user[description]", "Of a form"),
    field("constructor"),
  );
  const reply = await api.as(ana).put<{ description: string }>("/me", { raw, headers: TYPE });
  expect(reply.status).toBe(200);
  expect(reply.body.description).toBe("Of a form");
});
