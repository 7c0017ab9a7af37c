import { beforeAll, describe, expect, test } from "vitest";
import type { Upload } from "../../functions/api/uploads/representation.ts";
import { api } from "../support/api.ts";
import { endingReply } from "../support/ending-reply.ts";
import { withParameters } from "../support/parameters.ts";
import { createUser, type Person } from "../support/people.ts";
import { repeats } from "../support/repeats.ts";
import { stack } from "../support/stack.ts";
import { FORM_TYPE, JSON_TYPE } from "./raw-requests.support.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

describe("arbitrary requests (X32, X38)", () => {
  interface Operation {
    parameters: { name: string; in: "path" | "query" }[];
    requestBody?: { content: Record<string, unknown> };
    responses: Record<string, unknown>;
  }

  /** Seeded, so that failures can be reproduced. */
  const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);

  const VALUES: unknown[] = [
    "",
    "0",
    "1",
    "-1",
    "abc",
    "'",
    '"',
    "\\",
    "%",
    "é",
    "日本語",
    "\u0000",
    "\ud800",
    "\u202e",
    "a".repeat(300),
    "9".repeat(400),
    `${2n ** 63n}`,
    `${2 ** 53}`,
    "null",
    "true",
    "[]",
    "__proto__",
    "..",
    "\r\nX: y",
    "<script>",
    "NaN",
    0,
    1,
    -1,
    1.5,
    2 ** 53,
    1e300,
    true,
    false,
    null,
    [],
    {},
    [1],
    [[]],
    { a: 1 },
    ["x", null],
  ];

  function random(seed: number) {
    let state = seed;
    return (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  test("a few hundred to every operation each get a documented reply below 500", async () => {
    const document = withParameters(
      (await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as {
        paths: Record<string, Record<string, Operation>>;
      },
    );
    const below = random(SEED);
    const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
    const open = await api
      .as(ana)
      .post<Upload>("/uploads", { json: { filename: "a", size: 10, type: "audio/wav" } });
    const companion = open.body.companion_url.split("/").pop() ?? "";
    const good: Record<string, unknown> = {
      token: companion,
      id: open.body.id,
      uploadId: open.body.id,
      number: 1,
      bitrate: 96,
      segment: "0.m4s",
      key: "x",
      filename: "a.wav",
      type: "audio/wav",
      size: 10,
      title: "A",
      upload_id: open.body.id,
      parts: [{ number: 1, etag: "x", PartNumber: 1, ETag: "x" }],
      numbers: [1],
    };
    const value = (name: string) => (below(2) ? (good[name] ?? "1") : pick(VALUES));
    const body = () =>
      Object.fromEntries(
        [...Object.keys(good), "last_modified", "sharing", "artist"].map((name) => [name, value(name)]),
      );
    const broken: unknown[] = [];

    async function one(path: string, method: string, operation: Operation) {
      const text = (given: unknown) =>
        (typeof given === "object" ? JSON.stringify(given) : String(given)).toWellFormed();
      const target = path.replace(
        /\{(\w+)\}/g,
        (_, name: string) => encodeURIComponent(text(value(name))) || "x",
      );
      const query = operation.parameters
        .filter((parameter) => parameter.in === "query" && below(3))
        .map(({ name }) => `${name}=${encodeURIComponent(text(value(name)))}`);
      const whole = below(8) ? body() : pick(VALUES);
      const isForm = operation.requestBody?.content["application/x-www-form-urlencoded"] && below(2);
      const form = Object.entries(body()).map(([name, given]) => [`track[${name}]`, text(given)]);
      const sent = isForm
        ? new URLSearchParams(form).toString()
        : JSON.stringify(below(2) ? { track: whole } : whole);
      const url = `${stack.urls.api}${target}?${query.join("&")}`;
      const reply = await fetch(url, {
        method: method.toUpperCase(),
        redirect: "manual",
        headers: {
          Authorization: `OAuth ${ana.token}`,
          ...endingReply(path),
          ...(isForm ? FORM_TYPE : JSON_TYPE),
          ...(below(4) ? {} : { Range: text(pick(VALUES)).replace(/[^ -~]/g, "") }),
        },
        ...(operation.requestBody && { body: sent }),
      });
      await reply.arrayBuffer();
      if (reply.status >= 500 || !operation.responses[reply.status])
        broken.push([reply.status, method, path, url.slice(0, 300), sent?.slice(0, 600)]);
    }

    // Operations that would consume the others' fixtures get random values only.
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        for (let n = 0; n < repeats(12, 24); n += 6)
          await Promise.all(Array.from({ length: 6 }, () => one(path, method, operation)));
      }
    }
    expect([SEED, broken.slice(0, 10)]).toEqual([SEED, []]);
    await api.as(ana).delete(`/uploads/${open.body.id}`);
  });
});
