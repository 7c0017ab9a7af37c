import { messageOf } from "../../../functions/lib/errors/message-of.ts";
import { identityOf, type ProcessIdentity } from "./processes.ts";
import { removeRecord, type StackAddresses, type StackRecord, writeRecord } from "./record.ts";
import { type Service, supervise } from "./supervisor.ts";
import { openWatchdog } from "./watchdog.ts";

export type ProcessRegistry = ReturnType<typeof openProcessRegistry>;

/** Supervises the processes of a stack and records them in stack.json. */
export function openProcessRegistry(options: {
  dataDir: string;
  addresses: StackAddresses;
  log: (line: string) => void;
  forCommand: boolean;
}) {
  const { dataDir, addresses, log, forCommand } = options;
  const watchdog = openWatchdog(`soundpost-watchdog ${dataDir}`);
  const members = new Map<string, () => ProcessIdentity | undefined>();
  const stack = {
    ...(identityOf(process.pid) ?? { pid: process.pid, startTicks: "" }),
    started_at: new Date().toISOString(),
    ...addresses,
    ...(forCommand && { for_command: true }),
  };

  const children = (): StackRecord["children"] => {
    const running: StackRecord["children"] = {};
    for (const [name, identity] of members) {
      const one = identity();
      if (one) running[name] = one;
    }
    return running;
  };
  const record = (): StackRecord => ({ ...stack, children: children() });
  const changed = () => {
    try {
      writeRecord(dataDir, record());
    } catch (error) {
      // A full disk ends no service, and the next change is another try.
      log(`stack.json is out of date: ${messageOf(error)}`);
    }
  };
  writeRecord(dataDir, record());

  return {
    watchdog,
    changed,
    record,
    pids: () => Object.fromEntries(Object.entries(children()).map(([name, { pid }]) => [name, pid])),
    /** Adds a process that restarts by itself. */
    add(name: string, identity: () => ProcessIdentity | undefined) {
      members.set(name, identity);
      changed();
    },
    /** Starts and supervises a service. Returns the function that stops it. */
    async start(name: string, service: Service): Promise<() => Promise<void>> {
      const supervised = await supervise(service, { watchdog, log, changed });
      members.set(name, supervised.identity);
      changed();
      return supervised.stop;
    },
    close() {
      removeRecord(dataDir);
      watchdog.close();
    },
  };
}
