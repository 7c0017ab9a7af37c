import { Icon, type IconName } from "../../../ui/icons.tsx";
import { number } from "../../../ui/words.ts";

interface IconWordsProps {
  icon: IconName;
  /** Shown where the pointer rests, and read by screen readers. */
  words: string;
  /** Shown unless it is zero or hidden. */
  count?: number | null;
}

/** The face of a button: an icon with a count. */
export const IconWords = ({ icon, words, count }: IconWordsProps) => (
  <span class="icon-words" title={words}>
    <Icon name={icon} />
    <span class="sr-only">{words}</span>
    {count ? <span> {number(count)}</span> : null}
  </span>
);
