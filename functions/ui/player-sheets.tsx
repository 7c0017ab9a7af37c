import type { Child } from "hono/jsx";
import { Icon } from "./icons.tsx";

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

/** Minutes. */
const SLEEPS = [15, 30, 45, 60, 90];

interface SheetProps {
  id: string;
  title: string;
  children: Child;
}

/** A sheet on a phone, and a window above the bar elsewhere. */
const Sheet = ({ id, title, children }: SheetProps) => (
  <dialog class="sheet" id={id} aria-labelledby={`${id}-title`}>
    <header class="sheet-head">
      <h2 id={`${id}-title`}>{title}</h2>
      <button class="sheet-close" type="button" aria-label={`Close: ${title}`} title="Close">
        <Icon name="close" />
      </button>
    </header>
    {children}
    <p class="deck-said" role="status" />
  </dialog>
);

/** `queue-sheet.client.ts` fills it in. */
export const QueueSheet = () => (
  <Sheet id="deck-queue-sheet" title="Queue">
    <div class="queue-body">
      <h3>Now playing</h3>
      <ol class="queue-now" />
      <h3 class="queue-next-title">Next up</h3>
      <ol class="queue-next" />
      <p class="queue-empty">
        Nothing follows. “Play next” and “Add to queue” in the menu of a track add it.
      </p>
      <details class="queue-before">
        <summary>Played</summary>
        <ol class="queue-played" />
      </details>
    </div>
    <footer class="sheet-foot">
      <form class="queue-save" method="post" action="/you/sets/from-queue">
        <label>
          <span class="sr-only">Title of the new set</span>
          <input name="title" required maxlength={100} placeholder="Title of a new set" />
        </label>
        <button type="submit">Save as a set</button>
      </form>
      <button class="queue-clear" type="button">
        Clear
      </button>
    </footer>
  </Sheet>
);

/** `chapters-sheet.client.ts` fills it in. */
export const ChaptersSheet = () => (
  <Sheet id="deck-chapters" title="Chapters">
    <div class="sheet-part" />
  </Sheet>
);

/** `comments-sheet.client.ts` fills it in. */
export const CommentsSheet = () => (
  <Sheet id="deck-comments" title="Comments">
    <div class="sheet-part" />
    <footer class="sheet-foot">
      <a class="comments-write" href="/">
        Write a comment
      </a>
    </footer>
  </Sheet>
);

export const SettingsSheet = () => (
  <Sheet id="deck-settings" title="Player settings">
    <label>
      Speed
      <select class="deck-speed">
        {SPEEDS.map((speed) => (
          <option value={String(speed)} selected={speed === 1}>
            {speed}×
          </option>
        ))}
      </select>
    </label>
    <label>
      Sleep timer
      <select class="deck-sleep">
        <option value="" selected>
          Off
        </option>
        <option value="end">At the end of the track</option>
        {SLEEPS.map((minutes) => (
          <option value={String(minutes)}>In {minutes} minutes</option>
        ))}
      </select>
    </label>
    <label class="level" hidden>
      <input type="checkbox" checked />
      Even out the loudness of tracks
    </label>
    <label class="deck-keys">
      <input type="checkbox" checked />
      Control the player by keys everywhere, such as K to pause
    </label>
    <button class="keys-open" type="button">
      Show all keys
    </button>
  </Sheet>
);
