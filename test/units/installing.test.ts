import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PROJECT_DIR } from "../support/structure.ts";

const RUN = "workers/local/run.sh";
const NODE = "node_modules/node/bin/node";

/** Stands for npm, which notes where it installs. */
const NPM = `#!/bin/sh
[ "$1" = ci ] || { echo 8.19.4; exit; }
[ ! -e "$REFUSED" ] || exit 1
pwd >> "$INSTALLED"
mkdir -p node_modules
`;

let directory: string;
let installed: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "soundpost-install-"));
  installed = join(directory, "installed");
  for (const path of [RUN, "package-lock.json", "test/package-lock.json"])
    cpSync(join(PROJECT_DIR, path), join(directory, path));
  program("workers/local/install-ffmpeg.sh", "#!/bin/sh\n");
  program("bin/npm", NPM);
  program(NODE, '#!/bin/sh\necho "$@"\n');
});

afterEach(() => rmSync(directory, { recursive: true }));

function program(path: string, text: string): void {
  mkdirSync(join(directory, dirname(path)), { recursive: true });
  writeFileSync(join(directory, path), text, { mode: 0o755 });
}

/** Returns the status, what was executed or said, and the folders whose packages were installed. */
function run(...words: string[]) {
  writeFileSync(installed, "");
  const { status, stdout, stderr } = spawnSync("sh", [join(directory, RUN), ...words], {
    encoding: "utf8",
    env: {
      PATH: [join(directory, "bin"), process.env.PATH].join(delimiter),
      INSTALLED: installed,
      REFUSED: join(directory, "refused"),
    },
  });
  const folders = readFileSync(installed, "utf8")
    .split("\n")
    .filter((folder) => folder);
  return { status, stdout, stderr, folders: folders.map((folder) => relative(directory, folder)) };
}

test("a server installs its packages once, and none of the tests'", () => {
  const start = { status: 0, stdout: expect.stringContaining("workers/local/stack/start.ts") };
  expect(run("start")).toMatchObject({ ...start, folders: [""] });
  expect(run("start")).toMatchObject({ ...start, folders: [] });
});

test.each(["test", "bench", "format", "draft-migration"])(
  "%s installs the tests' packages, and leaves those of a server that runs",
  (verb) => {
    run("start");
    expect(run(verb, "FILE")).toMatchObject({ status: 0, folders: ["test"] });
    expect(run(verb, "FILE").folders).toEqual([]);
  },
);

test("packages that were installed by hand stay", () => {
  program("node_modules/.package-lock.json", "{}");
  expect(run("start").folders).toEqual([]);
});

test("a machine that cannot install is told which versions it needs, in one sentence", () => {
  writeFileSync(join(directory, "refused"), "");
  const { status, stdout, stderr } = run("start");
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr.split("\n").slice(1)).toEqual([
    expect.stringMatching(/^Soundpost needs Linux on [^.]+, Node 20\.19 .*npm 9\.2 .*, npm 8\.19\.4\.$/),
    "",
  ]);
});
