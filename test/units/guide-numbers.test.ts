import { expect, test } from "vitest";
import { MAX_IMAGE_BYTES } from "../../functions/api/images/limits.ts";
import { MAX_OPEN_UPLOADS, MAX_UPLOAD_BYTES, MAX_URLS_A_CALL } from "../../functions/api/uploads/limits.ts";
import { REFRESH_TOKEN_TTL_S, SESSION_TTL_S } from "../../functions/auth/oauth/lifetimes.ts";
import { MAX_JSON_BYTES } from "../../functions/lib/http/body/read.ts";
import { serviceDocument } from "../../workers/build/api-document.ts";
import { read } from "../support/structure.ts";

const guide = (name: string) => read(`functions/web/docs/guides/${name}.md`);

const DAY_S = 24 * 3600;

test.each([
  ["limits", `| An audio file | ${MAX_UPLOAD_BYTES / 2 ** 30} GiB |`],
  ["limits", `| A picture | ${MAX_IMAGE_BYTES / 2 ** 20} MiB |`],
  ["limits", `| A body of JSON or XML | ${MAX_JSON_BYTES / 2 ** 20} MiB |`],
  ["limits", `| Open uploads of a user | ${MAX_OPEN_UPLOADS} |`],
  ["limits", `| Addresses of parts in one call | ${MAX_URLS_A_CALL} |`],
  ["upload", `A file may have ${MAX_UPLOAD_BYTES / 2 ** 30} GiB.`],
  ["tokens", `A refresh token lasts ${REFRESH_TOKEN_TTL_S / DAY_S} days unused.`],
])("the guide %s says: %s", (name, sentence) => {
  expect(guide(name)).toContain(sentence);
});

test("a user's grant lasts the year that the guide promises", () => {
  expect(guide("tokens")).toContain("A user's grant lasts a year.");
  expect(SESSION_TTL_S / DAY_S).toBe(365);
});

test("a delivery is sent as often, and over as many days, as the guide and the reference say", async () => {
  const statement = read("db/functions/webhooks/settle_webhook_delivery.sql");
  const waits = /waits CONSTANT integer\[\] := '\{([\d, ]+)\}'/.exec(statement)?.[1]?.split(",") ?? [];
  const days = waits.reduce((sum, wait) => sum + Number(wait), 0) / DAY_S;
  expect([waits.length + 1, Math.round(days)]).toEqual([10, 3]);
  const said = "it is sent ten times in all, over some three days";
  expect([guide("webhooks"), JSON.stringify(await serviceDocument())]).toEqual([
    expect.stringContaining(said),
    expect.stringContaining(said),
  ]);
});
