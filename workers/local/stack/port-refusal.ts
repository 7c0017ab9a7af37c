import { listenerOn, portFault } from "./ports.ts";
import { DEFAULT_PORT } from "./settings.ts";

/**
 * Says why a stack cannot have its ports, one for each use from `first` up, at the addresses that it binds. Undefined if
 * it can.
 */
export async function portRefusal(
  first: number,
  uses: string[],
  bind: string[],
  faultOf = portFault,
): Promise<string | undefined> {
  for (const [index, use] of uses.entries()) {
    const port = first + index;
    const fault = await faultOf(port, bind);
    if (fault) return sentence({ ...fault, first, port, use });
  }
  return undefined;
}

interface Refused {
  host: string;
  code: string;
  first: number;
  port: number;
  use: string;
}

const USES_THREE = "npm start (it uses PORT to PORT+2)";

function sentence({ host, code, first, port, use }: Refused): string {
  if (code === "EADDRINUSE") {
    const who = listenerOn(port);
    return (
      `Port ${port}, meant for ${use}, is taken${who ? ` by ${who}` : ""}.\n` +
      `Stop that program, or start Soundpost elsewhere: PORT=${first + 100} ${USES_THREE}.`
    );
  }
  if (code === "EACCES")
    return (
      `Only root may open port ${port}, meant for ${use}.\n` +
      `Start Soundpost at a higher one, with a proxy before it: PORT=${DEFAULT_PORT} ${USES_THREE}.`
    );
  return `BIND names ${host}, which is no address of this machine (${code})`;
}
