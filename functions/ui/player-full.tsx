import { Icon } from "./icons.tsx";
import { Buttons, Heart, PresentChapter, SeekBar, SheetButton } from "./player-parts.tsx";

/** The player over the whole window. `full-player.client.ts` opens and closes it. */
export const FullPlayer = ({ name }: { name: string }) => (
  <dialog class="full" aria-label="Now playing">
    <div class="full-top">
      <button class="full-close" type="button" aria-label="Close the player" title="Close the player">
        <Icon name="fold" />
      </button>
      <SheetButton sheet="deck-settings" label="Player settings" icon="more" />
    </div>
    <p class="full-cover">
      <img class="deck-picture" width="500" height="500" alt="" hidden />
    </p>
    <div class="full-body">
      <div class="full-head">
        <h2>
          <a class="full-title" href="/" dir="auto">
            {name}
          </a>
        </h2>
        <a class="full-artist" href="/" dir="auto">
          {name}
        </a>
        <Heart />
        <PresentChapter />
      </div>
      <div class="full-seek">
        <SeekBar />
        <p class="full-time">
          <span class="full-elapsed">0:00</span> <span class="full-total">0:00</span>
        </p>
      </div>
      <Buttons />
      <div class="full-acts">
        <SheetButton sheet="deck-chapters" label="Chapters" icon="chapters" hidden />
        <SheetButton sheet="deck-comments" label="Comments" icon="comment" />
        <SheetButton sheet="deck-queue-sheet" label="Queue" icon="queue" />
      </div>
    </div>
    <p class="deck-said" role="status" />
  </dialog>
);
