import { expect, test } from "vitest";
import { addPendingPlay, sweepInsights, visitors } from "../../api/insights/insights.support.ts";
import { whileHeld } from "../../support/open-transaction.ts";
import { createUser } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { threeHosts } from "./three-hosts.ts";

const service = await threeHosts();

test("a range without plays says so in words, where others draw a chart", async () => {
  const owner = await createUser();
  const track = await createPlayableTrack(owner);
  const browser = await service.open().enterSite(owner.id);
  const shown = async (query: string) => {
    const { html } = await browser.get("web", `/you/insights/tracks/${track.id}?${query}`);
    return {
      chart: /<figure class="chart">/.test(html),
      words: />([^<]*)<\/p>/.exec(html.split("chart-nothing")[1] ?? "")?.[1],
    };
  };
  const [who] = visitors(1) as [never];
  await whileHeld("select from tracks where id = $1 for update", [track.id], async () => {
    await addPendingPlay(track.id, who, 10);
    expect(await shown("range=28&show=listeners")).toEqual({
      chart: false,
      words: "Listeners are counted some minutes after their plays.",
    });
  });
  await sweepInsights(track.id);
  for (const show of ["plays", "listeners"])
    expect(await shown(`range=28&show=${show}`)).toEqual({ chart: true, words: undefined });
  const date = (daysAgo: number) =>
    String.raw`\d+ \w+ ${new Date(Date.now() - daysAgo * 86_400_000).getUTCFullYear()}`;
  for (const show of ["plays", "listeners"])
    expect(await shown(`range=7&show=${show}`)).toEqual({
      chart: false,
      words: expect.stringMatching(new RegExp(`^No ${show} from ${date(6)} to ${date(0)}\\.$`)),
    });
  expect((await shown("range=28&show=likes")).words).toMatch(/^No likes from /);
});
