import { Apart } from "./apart.tsx";
import type { Reader } from "./bar.tsx";
import { Icon, type IconName } from "./icons.tsx";

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

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
    <section class="deck" aria-label="Player" hidden>
      <p class="deck-trouble" role="status" />
      <div class="deck-row">
        <Track name={name} />
        <Buttons />
        <div class="deck-time">
          <span class="deck-elapsed">0:00</span>
          <input class="deck-seek" type="range" min="0" max="1" step="0.1" value="0" aria-label="Seek" />
          <span class="deck-total">0:00</span>
        </div>
        <Extras />
        <button
          class="deck-more"
          type="button"
          aria-expanded="false"
          aria-controls="deck-panel"
          aria-label="Queue and settings"
          title="Queue and settings"
        >
          <Icon name="queue" />
        </button>
      </div>
      {/* Follows its button, so that Tab enters it. The stylesheet places it above. */}
      <Panel />
    </section>
  </div>
);

const Track = ({ name }: { name: string }) => (
  <div class="deck-track">
    <a class="deck-cover" href="/" tabIndex={-1}>
      <img width="48" height="48" alt="Artwork" />
    </a>
    <p class="deck-words">
      <Apart>
        <a class="deck-title" href="/" dir="auto">
          Nothing plays
        </a>
        <a class="deck-artist" href="/" dir="auto">
          {name}
        </a>
      </Apart>
    </p>
  </div>
);

const Buttons = () => (
  <div class="deck-buttons">
    <Press name="previous" label="Previous track" keys="Shift+ArrowLeft" icon="previous" />
    <button class="deck-back" type="button" aria-label="Back 15 seconds" title="Back 15 seconds">
      −15
    </button>
    <button class="deck-toggle" type="button" aria-label="Play" aria-keyshortcuts="Space">
      <Icon name="play" />
      <Icon name="pause" />
    </button>
    <button class="deck-forward" type="button" aria-label="Forward 15 seconds" title="Forward 15 seconds">
      +15
    </button>
    <Press name="next" label="Next track" keys="Shift+ArrowRight" icon="next" />
  </div>
);

/** Hidden on smaller screens until the panel is open. */
const Extras = () => (
  <div class="deck-extras">
    <Press name="shuffle" label="Shuffle" keys="S" icon="shuffle" />
    <Press name="repeat" label="Repeat: off" keys="L" icon="repeat" />
    <select class="deck-speed" aria-label="Speed" title="Speed">
      {SPEEDS.map((speed) => (
        <option value={String(speed)} selected={speed === 1}>
          {speed}×
        </option>
      ))}
    </select>
    <Press name="mute" label="Mute" keys="M" icon="speaker" pressedIcon="muted" />
    <label class="volume">
      <span class="sr-only">Volume</span>
      <input type="range" min="0" max="1" step="0.05" value="1" />
    </label>
    <label class="level" hidden>
      <input type="checkbox" checked />
      Even out the loudness of tracks
    </label>
  </div>
);

const Panel = () => (
  <div class="deck-panel" id="deck-panel" hidden>
    <h2>Queue</h2>
    <ol class="deck-queue" />
    <label class="deck-keys">
      <input type="checkbox" checked />
      Control the player by keys everywhere, such as K to pause
    </label>
  </div>
);

interface PressProps {
  name: string;
  label: string;
  keys: string;
  icon: IconName;
  /** Replaces the icon while pressed. */
  pressedIcon?: IconName;
}

const Press = ({ name, label, keys, icon, pressedIcon }: PressProps) => (
  <button class={`deck-${name}`} type="button" aria-label={label} title={label} aria-keyshortcuts={keys}>
    <Icon name={icon} />
    {pressedIcon && <Icon name={pressedIcon} />}
  </button>
);
