import { colorsOf } from "../lib/pictures/cover.ts";
import { hexOf } from "../lib/pictures/oklch.ts";

interface InitialsProps {
  of: { id: number; username: string };
  class?: string;
  /** CSS pixels. */
  side: number;
  /** Draws a figure instead, because browsers of text would read letters as a part of the line. */
  isInLine?: boolean;
}

/** Stands for a person without a picture: their initials in colours of their id. */
export const Initials = ({ of: { id, username }, side, isInLine, ...more }: InitialsProps) => {
  const { disc, inks } = colorsOf(id);
  return (
    <svg {...more} width={side} height={side} viewBox="0 0 40 40" aria-hidden="true">
      <path fill={hexOf(disc)} d="M0 0h40v40H0z" />
      {isInLine ? (
        <path fill={hexOf(inks[2])} d="M20 9a7 7 0 1 0 0 14 7 7 0 1 0 0-14M7 40a13 13 0 0 1 26 0z" />
      ) : (
        <text x="20" y="20" dy=".36em" text-anchor="middle" font-size="16" fill={hexOf(inks[2])}>
          {initialsOf(username)}
        </text>
      )}
    </svg>
  );
};

/** The first letters of the first two words. */
const initialsOf = (username: string): string =>
  username
    .split(/[\s_.-]+/)
    .flatMap((word) => [...word].slice(0, 1))
    .slice(0, 2)
    .join("")
    .toUpperCase();
