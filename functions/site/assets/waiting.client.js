/** Polls at growing intervals, and reloads the page when the track is ready. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;

const state = (page) => page.querySelector("[data-state]")?.dataset.state;

async function isStillWaiting() {
  try {
    const reply = await fetch(location.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    return !reply.ok || state(page) === state(document);
  } catch {
    return true;
  }
}

async function look(waitMs) {
  // A hidden page does not poll.
  if (!document.hidden && !(await isStillWaiting())) return location.reload();
  setTimeout(look, waitMs, Math.min(waitMs * 1.3, LONGEST_WAIT_MS));
}

setTimeout(look, FIRST_WAIT_MS, FIRST_WAIT_MS);
