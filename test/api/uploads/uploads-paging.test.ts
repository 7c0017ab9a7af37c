import { expect, test } from "vitest";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { refusal } from "../tracks/lists.support.ts";

test("upload sessions page like every collection, with and without envelope", async () => {
  const ana = await createUser();
  const made: number[] = [];
  for (let n = 0; n < 3; n++) {
    const json = { filename: `${n}.wav`, size: 10, type: "audio/wav" };
    made.push((await api.as(ana).post<Upload>("/uploads", { json })).body.id);
  }
  const newest = made.toReversed();
  const bare = await api.as(ana).get<Upload[]>("/uploads?limit=2&status=open");
  expect(bare.body.map(({ id }) => id)).toEqual(newest.slice(0, 2));
  const next = /^<([^>]+)>; rel="next"/.exec(bare.headers.get("Link") ?? "")?.[1] ?? "";
  expect((await api.as(ana).get<Upload[]>(next)).body.map(({ id }) => id)).toEqual(newest.slice(2));
  const wrapped = await api
    .as(ana)
    .get<{ collection: Upload[]; next_href?: string }>("/uploads?limit=2&linked_partitioning=Yes");
  expect([wrapped.body.collection.length, typeof wrapped.body.next_href]).toEqual([2, "string"]);
  expect((await api.as(ana).get<Upload[]>("/uploads?offset=2")).body).toHaveLength(1);
  expect((await refusal(await createUser(), new URL(next).search.slice(1), "/uploads"))[0]).toBe(400);
  expect((await refusal(ana, "linked_partitioning=x", "/uploads"))[0]).toBe(422);
});
