import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Runs `npm run -s sbom`: prints what runs on a server like this machine, as CycloneDX 1.5. */

const PROJECT_DIR = join(import.meta.dirname, "../..");

interface Locked {
  version: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

interface Component {
  type: "application" | "library" | "platform";
  name: string;
  version: string;
  purl?: string;
}

/** Packages of declarations alone, which compilers read and no server runs. */
const DECLARATIONS = /^@types\/|^@cloudflare\/workers-types$|^undici-types$/;

/** An older one of the system serves nobody here. */
const OLDEST_POSTGRES = 17;

/** `arch` is Node's name of a processor. */
export function billOfMaterials({ arch, system }: { arch: string; system: Component[] }) {
  const { packages } = JSON.parse(readFileSync(join(PROJECT_DIR, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const { "": own, ...locked } = packages;
  const run = Object.entries(locked)
    .map(([path, one]) => ({ ...one, name: path.slice(path.lastIndexOf("node_modules/") + 13) }))
    .filter((one) => !one.dev && !DECLARATIONS.test(one.name) && fits(one, arch));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { component: { type: "application", ...described("soundpost", own as Locked) } },
    components: [
      ...new Map(run.map((one) => [`${one.name}@${one.version}`, libraryOf(one)])).values(),
      ...system,
    ],
  };
}

/** Servers run Linux with the GNU C library. */
function fits({ os, cpu, libc }: Locked, arch: string): boolean {
  return [
    [os, "linux"],
    [cpu, arch],
    [libc, "glibc"],
  ].every(([wanted, ours]) => !wanted || wanted.includes(ours as string));
}

const libraryOf = (locked: Locked & { name: string }) => ({
  type: "library" as const,
  ...described(locked.name, locked),
});

function described(name: string, { version, license, integrity }: Locked) {
  const [algorithm, content = ""] = integrity?.split("-") ?? [];
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(license && {
      licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
    }),
    ...(algorithm === "sha512" && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }],
    }),
  };
}

/** Parts that come with the system, as far as they are there. Its PostgreSQL goes before the packaged one. */
function systemParts(): Component[] {
  const programs = [
    ["ffmpeg", process.env.FFMPEG_PATH || "ffmpeg", "-version"],
    ["postgresql", join(newestIn("/usr/lib/postgresql"), "bin/postgres"), "--version"],
  ] as const;
  const found = programs.flatMap(([name, program, option]): Component[] => {
    const { stdout } = spawnSync(program, [option], { encoding: "utf8" });
    const version = /\d[\w.+~-]*/.exec(stdout ?? "")?.[0];
    return version ? [{ type: "application", name, version }] : [];
  });
  return [{ type: "platform", name: "node", version: process.versions.node }, ...found];
}

function newestIn(directory: string): string {
  const majors = existsSync(directory) ? readdirSync(directory).map(Number) : [];
  return join(directory, String(Math.max(0, ...majors.filter((major) => major >= OLDEST_POSTGRES))));
}

if (import.meta.main)
  console.log(JSON.stringify(billOfMaterials({ arch: process.arch, system: systemParts() }), null, 2));
