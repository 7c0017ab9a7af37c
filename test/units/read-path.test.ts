import { basename } from "node:path";
import { expect, test } from "vitest";
import { read, sourcePaths, sqlPaths } from "../support/structure.ts";

const functions = new Map(
  sqlPaths()
    .filter((path) => path.startsWith("db/functions/"))
    .map((path) => [basename(path, ".sql"), read(path)]),
);

const queries = new Map(
  sourcePaths()
    .filter((path) => path.startsWith("db/queries/"))
    .map((path) => [basename(path), read(path)]),
);

/** Lists functions that only read, of those that a text calls. */
const readsCalledIn = (text: string): string[] =>
  [...functions].flatMap(([name, body]) =>
    /\b(?:STABLE|IMMUTABLE)\b/.test(body) && text.includes(`"${name}"`) ? [name] : [],
  );

/** The check of a session is also the work of a request that may be repeated anyway. */
const CHECKS = ["require_session"];

test("no function only reads: reads are statements of the builder", () => {
  const called = readsCalledIn([...queries.values()].join("\n"));
  expect(called.filter((name) => !CHECKS.includes(name))).toEqual([]);
  expect(readsCalledIn('callAs(db, "require_operator", Shape, caller, {})')).toEqual(["require_operator"]);
});

test("functions become fewer: whoever adds one takes another away", () => {
  expect(functions.size).toBeLessThanOrEqual(192);
});

/** Statements over tracks or playlists. */
const OVER_TRACKS = /(?:\.(?:from|\w*[jJ]oin)\(\s*|(?:from|join) \$\{)(?:tracks|documents|playlists)\b/;

const RULES = /from "\.\/(?:visibility|track-filters)\.ts"/;

/** Modules that need no rule of visibility, each with its reason. */
const WITHOUT_RULE: Record<string, string> = {
  "activities.ts": "the tracks beside it are shown by show-tracks.ts",
  "chapters.ts": "transcripts.ts chooses what the caller sees",
  "exported-lists.ts": "users export what is theirs",
  "garbage.ts": "objects, which nobody reads",
  "images.ts": "pictures of the caller, and those that are closed",
  "insights-by.ts": "owners read of their tracks, which insights.ts chooses",
  "insights-roll-up.ts": "the sweep adds up, and nobody reads",
  "jobs.ts": "the transcoder reads originals",
  "moderation-removals.ts": "operators see everything",
  "moderation-reports.ts": "operators see everything",
  "moderation-tracks.ts": "operators see everything",
  "news.ts": "news-events.ts chooses what the reader sees",
  "operations.ts": "operators see everything",
  "import-episodes.ts": "users see their own imports",
  "import-covers.ts": "the background gives a picture to what their owner moves in",
  "import-turns.ts": "the background makes tracks of what their owner moves in",
  "podcast-imports.ts": "users see their own imports",
  "podcasts.ts": "forms of the owner",
  "scheduled.ts": "publishes for owners, whoever they are",
  "show-users.ts": "it counts what the reader sees",
  "site-discovery.ts": "it chooses by choose-tracks.ts, and show-tracks.ts shows",
  "sitemap.ts": "public tracks and sets alone",
};

test("every module with a statement over tracks or playlists has the rule of visibility, or a reason", () => {
  const without = [...queries].flatMap(([name, text]) =>
    OVER_TRACKS.test(text) && !RULES.test(text) && name !== "visibility.ts" ? [name] : [],
  );
  expect(without.sort()).toEqual(Object.keys(WITHOUT_RULE).sort());
});
