import { type ChildProcess, spawn } from "node:child_process";

/**
 * Ends child processes that would outlive a killed stack. End of file on its pipe tells it that we died. It
 * ignores terminal signals, because the stack handles those.
 */
const SCRIPT = `trap '' INT TERM HUP
watched=
while read -r verb signal pid; do
  case $verb in
    watch) watched="$watched $signal:$pid" ;;
    forget) rest=; for one in $watched; do [ "\${one#*:}" = "$pid" ] || rest="$rest $one"; done; watched=$rest ;;
  esac
done
for one in $watched; do kill -s "\${one%%:*}" "\${one#*:}" 2>/dev/null; done`;

export type Watchdog = {
  watch(pid: number, signal: "SIGINT" | "SIGTERM" | "SIGKILL"): void;
  forget(pid: number): void;
  close(): void;
};

export function openWatchdog(name: string): Watchdog {
  const shell: ChildProcess = spawn("/bin/sh", ["-c", SCRIPT, name], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // Losing the watchdog matters only if the stack dies too. The next start then finds the pids in stack.json.
  shell.on("error", () => {});
  shell.stdin?.on("error", () => {});
  return {
    watch: (pid, signal) => shell.stdin?.write(`watch ${signal.slice("SIG".length)} ${pid}\n`),
    forget: (pid) => shell.stdin?.write(`forget - ${pid}\n`),
    close: () => shell.stdin?.end(),
  };
}

/** Watches a child until its end, even if it never serves: another program may get its id afterwards. */
export function watchChild(
  watchdog: Pick<Watchdog, "watch" | "forget">,
  child: ChildProcess,
  signal: "SIGINT" | "SIGTERM",
): void {
  const { pid } = child;
  if (pid === undefined) return;
  watchdog.watch(pid, signal);
  child.once("exit", () => watchdog.forget(pid));
}
