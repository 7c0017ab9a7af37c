import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { PROJECT_DIR } from "./structure.ts";

/** MiB of objects. A file itself is outside of them. */
const OBJECTS_MIB = 100;

const READ = `
  import { buffer } from "node:stream/consumers";
  const [module, name] = process.argv.slice(1);
  const { [name]: read } = await import(module);
  const file = await buffer(process.stdin);
  const result = await read(async (from, length) => file.subarray(from, from + length), file.length);
  console.log(JSON.stringify(result) ?? "nothing");
`;

/** Reads a file by a function of a module, in a process of its own that ends without more memory. Returns what it printed. */
export function readInLittleMemory(module: string, name: string, file: Buffer): string {
  const flags = [`--max-old-space-size=${OBJECTS_MIB}`, "--input-type=module", "--eval", READ];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, join(PROJECT_DIR, module), name], {
    input: file,
    encoding: "utf8",
  });
  return stdout.trim() || stderr.slice(0, 500);
}
