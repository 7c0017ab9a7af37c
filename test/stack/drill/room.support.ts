import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** A directory that programs see as `/`, with processes and mounts of their own and this machine's network. */
export interface Room {
  root: string;
  /** Words before a command that runs inside. */
  enter: string[];
  /** Ends everything inside. */
  leave(): Promise<void>;
}

/** This machine itself. */
export const HERE: Room = { root: "/", enter: [], leave: async () => {} };

export async function openRoom(root: string): Promise<Room> {
  const mounts = `mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && echo open && exec sleep infinity`;
  // Mounts and processes end with the command.
  const apart = ["--mount", "--pid", "--fork", "--kill-child"];
  const holder = spawn("unshare", [...apart, "sh", "-c", mounts, root], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(holder, "close");
  await Promise.race([once(holder.stdout, "data"), ended]);
  const [first] = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, "utf8").split(" ");
  if (!first) throw new Error(`${root} cannot be entered`);
  return {
    root,
    enter: ["nsenter", "--target", first, "--mount", "--pid", "chroot", root],
    async leave() {
      // `unshare` passes no other signal on.
      holder.kill("SIGKILL");
      await ended;
    },
  };
}
