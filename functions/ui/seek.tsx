import type { Child } from "hono/jsx";
import { clock } from "./words.ts";

interface SeekProps {
  /** `class` of the element, which a player's script finds. */
  name: string;
  durationMs: number;
  /** Lies over the waveform. */
  children?: Child;
}

/** The slider of a player, with the waveform on a canvas. */
export const Seek = ({ name, durationMs, children }: SeekProps) => (
  <div
    class={name}
    role="slider"
    tabIndex={0}
    aria-label="Position"
    aria-valuemin={0}
    aria-valuemax={Math.round(durationMs / 1000)}
    aria-valuenow={0}
    aria-valuetext={`0:00 of ${clock(durationMs)}`}
  >
    <canvas />
    {children}
  </div>
);
