import { Icon, type IconName } from "./icons.tsx";

/** Parts that the bar and the full player share. */

/** `player-seek.ts` moves it. */
export const SeekBar = () => (
  <div
    class="deck-seek"
    role="slider"
    tabIndex={0}
    aria-label="Seek"
    aria-valuemin={0}
    aria-valuemax={0}
    aria-valuenow={0}
    aria-valuetext="0:00 of 0:00"
  >
    <span class="seek-thumb" />
    <span class="seek-tip" />
  </div>
);

export const Buttons = () => (
  <div class="deck-buttons">
    <Toggle name="shuffle" label="Shuffle" keys="S" icon="shuffle" />
    <Toggle name="previous" label="Previous track" keys="Shift+ArrowLeft" icon="previous" />
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
    <Toggle name="next" label="Next track" keys="Shift+ArrowRight" icon="next" />
    <Toggle name="repeat" label="Repeat: off" keys="L" icon="repeat" />
  </div>
);

/** Likes the track that plays. */
export const Heart = () => (
  <button class="deck-like" type="button" aria-label="Like" title="Like" aria-pressed="false">
    <Icon name="heart" />
  </button>
);

/** Names the present chapter and opens the list of all. `present-chapter.ts` fills it in. */
export const PresentChapter = () => (
  <button
    class="present-chapter"
    type="button"
    aria-expanded="false"
    aria-controls="deck-chapters"
    aria-haspopup="dialog"
    hidden
  >
    <Icon name="chapters" />
    <span class="sr-only">Chapter: </span>
    <span class="present-title" dir="auto" />
  </button>
);

interface SheetButtonProps {
  /** Id of the dialog. */
  sheet: string;
  label: string;
  icon: IconName;
  hidden?: boolean;
}

export const SheetButton = ({ sheet, label, icon, hidden }: SheetButtonProps) => (
  <button
    class="deck-more"
    type="button"
    aria-expanded="false"
    aria-controls={sheet}
    aria-haspopup="dialog"
    aria-label={label}
    title={label}
    hidden={hidden}
  >
    <Icon name={icon} />
  </button>
);

interface ToggleProps {
  name: string;
  label: string;
  keys: string;
  icon: IconName;
  /** Replaces the icon while pressed. */
  pressedIcon?: IconName;
}

export const Toggle = ({ name, label, keys, icon, pressedIcon }: ToggleProps) => (
  <button class={`deck-${name}`} type="button" aria-label={label} title={label} aria-keyshortcuts={keys}>
    <Icon name={icon} />
    {pressedIcon && <Icon name={pressedIcon} />}
  </button>
);
