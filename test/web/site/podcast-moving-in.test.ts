import { expect, test } from "vitest";
import { feedOf, startFeedServer } from "../../api/imports/feed-server.ts";
import { begin, confirm, episodesOf, read } from "../../api/imports/imports.support.ts";
import { operate } from "../../support/operate.ts";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { threeHosts } from "./three-hosts.ts";

const LIST = "/you/podcasts/move";

test("the page of a podcast that was removed while it moves in says that it is on hold, and where to answer", async () => {
  const ana = await createUser();
  const server = await startFeedServer();
  const url = server.serve("/1.mp3", {
    bytes: "",
    answer: (_request, response) => void response.writeHead(429, { "Retry-After": "86400" }).end(),
  });
  const channel = `<podcast:txt>soundpost-verify-${ana.id}</podcast:txt>`;
  const feed = server.serve("/feed.xml", { bytes: feedOf("Held", channel, [{ guid: "1", url }]) });
  const { id } = (await begin(ana, feed)).body;
  const { playlist_id } = (await confirm(ana, id)).body;
  // Its server asked for a rest, so it runs for a day.
  await expect.poll(async () => (await episodesOf(ana, id))[0]?.reason?.code).toBe("status_429");
  const browser = await (await threeHosts()).enter(ana);
  const said = async () => {
    const [one, list] = [await browser.get("web", `${LIST}/${id}`), await browser.get("web", LIST)];
    const answers = one.html.includes('<a href="/you/removals">Read why, and answer</a>');
    return {
      removed: (await read(ana, id)).playlist_removed,
      answers,
      states: [one, list].map(({ html }) => /Moving in|Moved in|On hold/.exec(html)?.[0]),
      leaves: one.html.includes("You can leave this page"),
      redirects: one.html.includes("Bring your subscribers along"),
    };
  };
  const moving = { removed: false, answers: false, leaves: true, redirects: false };
  expect(await said()).toEqual({ ...moving, states: ["Moving in", "Moving in"] });
  const removal = await operate<{ id: number }>(
    "set remove",
    "--set",
    String(playlist_id),
    "--reason",
    "Spam",
  );
  const removed = { removed: true, answers: true, leaves: false, redirects: false };
  expect(await said()).toEqual({ ...removed, states: ["On hold", "On hold"] });
  // Nobody is sent to a feed that is closed.
  const set = (state: string) => sql("update podcast_imports set state = $2 where id = $1", [id, state]);
  await set("done");
  expect(await said()).toEqual({ ...removed, states: ["Moved in", "Moved in"] });
  await set("running");
  await operate("removal restore", "--removal", String(removal.id), "--reason", "No");
  expect(await said()).toEqual({ ...moving, states: ["Moving in", "Moving in"] });
});
