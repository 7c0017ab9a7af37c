import { Apart } from "./apart.tsx";
import type { Reader } from "./bar.tsx";
import { Icon } from "./icons.tsx";
import { FullPlayer } from "./player-full.tsx";
import { Buttons, Heart, PresentChapter, SeekBar, SheetButton, Toggle } from "./player-parts.tsx";
import { ChaptersSheet, CommentsSheet, QueueSheet, SettingsSheet } from "./player-sheets.tsx";

/**
 * The one player, which survives Turbo's page swaps. `player-bar.ts` fills it in and shows it once a track plays.
 * `name` is the site's.
 */
export const PlayerBar = ({ name, reader }: { name: string; reader: Reader }) => (
  <div id="player-bar" data-turbo-permanent data-reader={reader.userId}>
    {/* Shown here, because it is visible at any scroll position. */}
    <p class="unsent" role="status" />
    <p class="unsent changed-reader" role="status" />
    <p class="deck-said" role="status" />
    <section class="deck" aria-label="Player" data-token={reader.actToken} hidden>
      <SeekBar />
      <p class="deck-trouble" role="status" />
      <div class="deck-row">
        <Track name={name} />
        <Buttons />
        <div class="deck-side">
          <p class="deck-time">
            <span class="deck-elapsed">0:00</span> / <span class="deck-total">0:00</span>
          </p>
          <Heart />
          <SheetButton sheet="deck-queue-sheet" label="Queue" icon="queue" />
          <SheetButton sheet="deck-settings" label="Player settings" icon="more" />
          <Toggle name="mute" label="Mute" keys="M" icon="speaker" pressedIcon="muted" />
          <label class="volume">
            <span class="sr-only">Volume</span>
            <input type="range" min="0" max="1" step="0.05" value="1" />
          </label>
        </div>
      </div>
      {/* They follow their buttons, so that Tab enters them. */}
      <FullPlayer name={name} />
      <QueueSheet />
      <ChaptersSheet />
      <CommentsSheet />
      <SettingsSheet />
    </section>
  </div>
);

/** On a phone the button reaches over the words. */
const Track = ({ name }: { name: string }) => (
  <div class="deck-track">
    <button
      class="deck-cover"
      type="button"
      aria-haspopup="dialog"
      aria-label="Open the player"
      title="Open the player"
    >
      <img class="deck-picture" width="48" height="48" alt="" hidden />
      <Icon name="unfold" />
    </button>
    <p class="deck-words">
      <Apart>
        <a class="deck-title" href="/" dir="auto">
          Nothing plays
        </a>
        <a class="deck-artist" href="/" dir="auto">
          {name}
        </a>
        <PresentChapter />
      </Apart>
    </p>
  </div>
);
