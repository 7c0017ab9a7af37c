import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  filledIn,
  runCurls,
  runPythons,
  runTypeScripts,
  type Sample,
  type Statuses,
  samplesIn,
} from "../support/snippets.ts";
import { stack } from "../support/stack.ts";
import { createSampleReader, idsOf, type SampleReader } from "./sample-reader.support.ts";

const directory = mkdtempSync(join(tmpdir(), "soundpost-snippets-"));
let samples: Sample[];

const textOf = async (path: string) => (await fetch(stack.urls.api + path)).text();

beforeAll(async () => {
  const pages = [...(await textOf("/llms.txt")).matchAll(/\((\S+\/docs\/reference\/\S+)\.md\)/g)];
  const texts = await Promise.all(pages.map(([, url = ""]) => textOf(new URL(url).pathname)));
  samples = texts.flatMap(samplesIn);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Samples that succeed only with what the page cannot know. */
const EXCEPT: Record<string, string> = {
  "POST /uploads/{id}/complete": "the tag comes from storage",
  "POST /me/podcast-imports/{id}/confirm": "the code comes by mail",
};

/** The sample as the page shows it to the reader. The address of a feed is theirs to write. */
const shownTo = ({ feed }: SampleReader, ids: Record<string, unknown>, { html }: Sample): string =>
  filledIn(html, ids).replaceAll("https://feeds.example/night-trains.xml", feed);

const LANGUAGES: [string, (codes: string[], env: { TOKEN: string }) => Promise<Statuses>][] = [
  ["sh", (codes, env) => runCurls(codes, env, directory)],
  ["ts", runTypeScripts],
  ["python", runPythons],
];

/** Reads come first, and the innermost of each turn. Each deletion has a turn of its own, after the writes. */
function turnsOf(language: string): Sample[][] {
  const depth = ({ operation }: Sample) => operation.split("/").length;
  const all = samples
    .filter((sample) => sample.language === language && !(sample.operation in EXCEPT))
    .sort((a, b) => depth(b) - depth(a));
  const by = (methods: RegExp) => all.filter(({ operation }) => methods.test(operation));
  return [by(/^GET/), by(/^(?:POST|PUT)/), ...by(/^DELETE/).map((sample) => [sample])];
}

test.each(LANGUAGES)(
  "each sample of the reference in %s runs as it is copied, and succeeds",
  async (language, run) => {
    const reader = await createSampleReader();
    const refused: string[] = [];
    for (const ran of turnsOf(language)) {
      const ids = await idsOf(reader.ana);
      const statuses = await run(
        ran.map((sample) => shownTo(reader, ids, sample)),
        { TOKEN: reader.ana.token },
      );
      expect(statuses).toHaveLength(ran.length);
      refused.push(
        ...ran.flatMap(({ operation }, place) =>
          (statuses[place] ?? 0) < 400 ? [] : [`${operation}: ${statuses[place]}`],
        ),
      );
    }
    expect(refused).toEqual([]);
  },
);

test("each operation has the same samples in three languages", () => {
  const named = (language: string) =>
    samples.filter((sample) => sample.language === language).map(({ operation }) => operation);
  expect(named("sh").length).toBeGreaterThan(130);
  expect(named("ts")).toEqual(named("sh"));
  expect(named("python")).toEqual(named("sh"));
  expect(named("sh")).toEqual(expect.arrayContaining(Object.keys(EXCEPT)));
});
