import { KEPT_PRESS, SIGNED_IN, type SignedIn } from "./signed-in.ts";
import { writeTab } from "./tab-store.ts";

/** The last page of a sign-in in a window of its own. The page that waits for it goes on, and the window closes. */
const channel = new BroadcastChannel(SIGNED_IN);
const isNew = new URLSearchParams(location.search).get("notice") === "welcome";
channel.postMessage({ isNew } satisfies SignedIn);
// A window begins with a copy of its opener's storage. The press is the opener's to repeat.
writeTab(KEPT_PRESS);
window.close();
