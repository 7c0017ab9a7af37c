import { expect, test } from "vitest";
import { createUser } from "../../support/people.ts";
import { repeats } from "../../support/repeats.ts";
import { shortWav, uploadTrack, waitForEncode } from "../../support/tracks.ts";

test("concurrent short tracks keep everything their encoders wrote", {
  timeout: 240_000,
}, async () => {
  const ana = await createUser();
  for (let round = 0; round < repeats(2, 4); round++) {
    const tracks = await Promise.all([1, 2, 3].map(() => uploadTrack(ana, shortWav())));
    for (const { id } of tracks)
      expect(await waitForEncode(ana, id)).toMatchObject({ state: "finished", encoding: { attempts: 1 } });
  }
});
