import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  /** Where programs that start with `enter` find it. */
  path: string;
  /** Where we find it. */
  inside: string;
  /** Words before a command that is to see the disk. */
  enter: string[];
  freeBytes(): number;
  /** Leaves this many bytes, as another program on the disk may. */
  fill(freeBytes?: number): void;
  /** Removes what `fill` wrote. */
  empty(): void;
  /** Whether programs that enter may only read it. Files that they hold open stay as they were. */
  setReadOnly(is: boolean): void;
  unmount(): Promise<void>;
}

/** Mounts a disk of memory for programs that enter its namespace. Needs no root where the kernel lets users have namespaces. */
export async function mountSmallDisk(mib: number): Promise<SmallDisk> {
  const path = mkdtempSync(join(tmpdir(), "small-disk-"));
  const isRoot = process.getuid?.() === 0;
  const own = isRoot ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
  // Ends with our process, whose end closes its input.
  const mounting = 'mount -t tmpfs -o size="$1" none "$2" && echo mounted && exec cat';
  const words = [...own, "sh", "-c", mounting, "sh", `${mib}m`, path];
  const holder = spawn("unshare", words, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(holder, "exit");
  const failed = () =>
    new Error(
      "No disk could be mounted to be filled. Run as root, or let users have namespaces: sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0",
    );
  await Promise.race([once(holder.stdout, "data"), ended.then(() => Promise.reject(failed()))]);
  const namespaces = isRoot ? ["--mount"] : ["--user", "--preserve-credentials", "--mount"];
  const inside = `/proc/${holder.pid}/root${path}`;
  const filler = join(inside, "filler");
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(inside);
    return bavail * bsize;
  };
  const enter = ["nsenter", "--target", String(holder.pid), ...namespaces, "--"];
  let isReadOnly = false;
  const run = (command: string) => {
    const [program = "", ...args] = [...enter, "sh", "-c", command, "sh", path];
    const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  };
  return {
    path,
    inside,
    enter,
    freeBytes,
    fill: (left = 0) => writeFileSync(filler, Buffer.alloc(Math.max(0, freeBytes() - left)), { flag: "a" }),
    empty: () => rmSync(filler, { force: true }),
    setReadOnly(is) {
      if (is !== isReadOnly)
        run(is ? 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"' : 'umount "$1"');
      isReadOnly = is;
    },
    async unmount() {
      holder.stdin.end();
      await ended;
      rmSync(path, { recursive: true, force: true });
    },
  };
}
