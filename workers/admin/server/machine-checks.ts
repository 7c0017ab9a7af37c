import { execFileSync } from "node:child_process";
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { brokenSecrets } from "../../../functions/api/health/secrets.ts";
import { hasRoom, isReadOnly } from "../../local/object-store/room.ts";
import { halfRestored } from "../../local/stack/data-dir.ts";
import { readSecrets } from "../../local/stack/secrets.ts";
import { SETTINGS_FILE } from "../../local/stack/settings.ts";
import { about, type Finding, reasonOf } from "./finding.ts";

const GIB = 1024 ** 3;
/** Bytes. A file may have 4 GB, and its encodes half of that again. */
const SCARCE_BYTES = 10 * GIB;
const TOO_LITTLE_BYTES = GIB;

/** Returns the directory, or its nearest existing parent, because the first start creates it. */
const presentPart = (path: string): string => (existsSync(path) ? path : presentPart(dirname(path)));

export function roomCheck(dataDir: string): Finding {
  const { ok, warning, wrong } = about("disk");
  const readOnly = [dataDir, join(dataDir, "objects")].map(presentPart).find(isReadOnly);
  if (readOnly) return wrong(`${readOnly} is on a read-only file system: uploads are refused`);
  const present = presentPart(dataDir);
  const { bavail, bsize } = statfsSync(present);
  const free = bavail * bsize;
  const says = `${(free / GIB).toFixed(1)} GiB free below ${dataDir}`;
  if (!hasRoom([present])) return wrong(`${says}: uploads are refused`);
  if (free < TOO_LITTLE_BYTES) return wrong(`${says}: an upload that is larger is refused`);
  return free < SCARCE_BYTES ? warning(`${says}: two large uploads fill it`) : ok(says);
}

export async function* secretsChecks(dataDir: string): AsyncGenerator<Finding> {
  const { ok, wrong } = about("secrets");
  const half = halfRestored(dataDir);
  if (half) return yield wrong(half);
  let open = 0;
  for (const name of ["secrets.json", SETTINGS_FILE, "stack.json"]) {
    const path = join(dataDir, name);
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined || !(mode & 0o077)) continue;
    open++;
    yield wrong(`Others on this machine may read ${path}: chmod 600 ${path}`);
  }
  try {
    const { JWT_KEYS = "", SIGNING_KEYS = "", SEAL_KEYS = "" } = readSecrets(dataDir);
    if (!existsSync(join(dataDir, "secrets.json"))) return yield ok("made at the first start");
    const broken = await brokenSecrets({ JWT_KEYS, SIGNING_KEYS, SEAL_KEYS });
    yield broken.length
      ? wrong(`${broken.join(" and ")} can be no key`)
      : ok(open ? "whole" : "whole, and yours alone");
  } catch (error) {
    yield wrong(reasonOf(error));
  }
}

/** Asks systemd, where there is one. */
export function timeServiceCheck(): Finding {
  const { ok, warning } = about("clock");
  try {
    const said = execFileSync("timedatectl", ["show", "--property=NTPSynchronized", "--value"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    if (said.trim() === "yes") return ok("kept by a time service");
    return warning("no time service keeps it: tokens and signatures fail once it is minutes off");
  } catch {
    return ok("this system does not tell whether a time service keeps it");
  }
}
