/** Texts that a tab keeps until it closes. Browsers may close their storage to a page: then nothing is there. */

export function readTab(name: string): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Without a text, forgets it. */
export function writeTab(name: string, text?: string): void {
  try {
    if (text === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    // Full or forbidden.
  }
}

/** Returns a text that was written as JSON as its value. */
export function readTabJson<T>(name: string): T | undefined {
  try {
    return JSON.parse(readTab(name) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
