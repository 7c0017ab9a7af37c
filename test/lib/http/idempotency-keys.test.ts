import { beforeAll, describe, expect, test } from "vitest";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

const FILE = { filename: "a.wav", size: 10, type: "audio/wav" };

const openUpload = (key: string, who: Person) =>
  api.as(who).post<Upload>("/uploads", { json: FILE, headers: { "Idempotency-Key": key } });

describe("an Idempotency-Key", () => {
  test.each([
    "",
    " ",
    "a b",
    "a,b",
    '"',
    '""',
    '"a',
    'a"',
    '"a\\b"',
    "a\\b",
    "é",
    "x".repeat(256),
    `"${"x".repeat(256)}"`,
  ])("that is malformed is refused by name: %j", async (key) => {
    const reply = await api.as(ana).post<ErrorReply>("/uploads", {
      json: FILE,
      headers: { "Idempotency-Key": Buffer.from(key).toString("latin1") },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0]?.error_message).toMatch(/^Idempotency-Key: /);
  });

  test("is the same with and without the quotes of the draft", async () => {
    const bo = await createUser();
    const id = (await openUpload("k/1;x=é".replace("é", "e"), bo)).body.id;
    expect((await openUpload('"k/1;x=e"', bo)).body.id).toBe(id);
    expect((await openUpload("x".repeat(255), bo)).status).toBe(201);
    expect((await openUpload('"a \\"b\\" \\\\"', bo)).status).toBe(201);
  });
});
