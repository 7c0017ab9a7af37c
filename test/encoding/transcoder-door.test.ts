import { expect, test } from "vitest";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { uploadFinishedTrack } from "../support/tracks.ts";

const url = `http://127.0.0.1:${stack.ports.transcoder}`;

test("the local transcoder obeys only the Worker and refuses other programs of the machine", async () => {
  for (const path of ["/jobs", "/images?sizes=100"])
    expect((await fetch(url + path, { method: "POST", body: "{}" })).status).toBe(401);
  expect((await fetch(`${url}/healthz`)).status).toBe(401);
  expect(await uploadFinishedTrack(await createUser())).toMatchObject({ state: "finished" });
});
