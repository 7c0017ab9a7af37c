import { openGuard } from "./guard.ts";
import { identityOf, type ProcessIdentity } from "./processes.ts";
import { removeRecord, type StackAddresses, type StackRecord, writeRecord } from "./stack-record.ts";
import { type Service, supervise } from "./supervise.ts";

export type Roster = ReturnType<typeof openRoster>;

/** Supervises and guards the processes of a stack and records them in stack.json. */
export function openRoster(options: {
  dataDir: string;
  addresses: StackAddresses;
  log: (line: string) => void;
}) {
  const { dataDir, addresses, log } = options;
  const guard = openGuard(`soundpost-guard ${dataDir}`);
  const members = new Map<string, () => ProcessIdentity | undefined>();
  const stack = {
    ...(identityOf(process.pid) ?? { pid: process.pid, startTicks: "" }),
    started_at: new Date().toISOString(),
    ...addresses,
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
  const changed = () => writeRecord(dataDir, record());
  changed();

  return {
    guard,
    changed,
    record,
    pids: () => Object.fromEntries(Object.entries(children()).map(([name, { pid }]) => [name, pid])),
    /** Adds a process that restarts by itself. */
    enrol(name: string, identity: () => ProcessIdentity | undefined) {
      members.set(name, identity);
      changed();
    },
    /** Starts and supervises a service. Returns the function that stops it. */
    async keep(name: string, service: Service): Promise<() => Promise<void>> {
      const supervised = await supervise(service, { guard, log, changed });
      members.set(name, supervised.identity);
      changed();
      return supervised.stop;
    },
    close() {
      removeRecord(dataDir);
      guard.close();
    },
  };
}
