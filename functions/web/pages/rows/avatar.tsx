import { DEFAULT_AVATAR } from "../../../api/images/links.ts";
import type { MiniUser } from "../../../api/users/representation.ts";
import { colorsOf } from "../../../lib/pictures/cover.ts";
import { hexOf } from "../../../lib/pictures/oklch.ts";
import { inFormat } from "../../embed/representation.ts";
import { srcsetOf } from "./cover.tsx";

/** Class and CSS pixels of a side. */
const SIZES = {
  line: { name: "round", side: 28 },
  comment: { name: "round comment-avatar", side: 36 },
  reply: { name: "round comment-avatar", side: 28 },
  row: { name: "row-picture round", side: 40 },
  beside: { name: "round", side: 64 },
  card: { name: "round", side: 180 },
  lead: { name: "record-cover round", side: 320 },
} as const;

interface AvatarProps {
  of: Pick<MiniUser, "id" | "username" | "avatar_url">;
  size: keyof typeof SIZES;
}

/** A person's picture, or else their initials in colours of their id. */
export const Avatar = ({ of: { id, username, avatar_url }, size }: AvatarProps) => {
  const { name, side } = SIZES[size];
  if (avatar_url.includes(`/${DEFAULT_AVATAR}-`)) {
    const { disc, inks } = colorsOf(id);
    return (
      <svg class={name} width={side} height={side} viewBox="0 0 40 40" aria-hidden="true">
        <path fill={hexOf(disc)} d="M0 0h40v40H0z" />
        {size === "line" ? (
          // Browsers of text would read letters as a part of the line.
          <path fill={hexOf(inks[2])} d="M20 9a7 7 0 1 0 0 14 7 7 0 1 0 0-14M7 40a13 13 0 0 1 26 0z" />
        ) : (
          <text x="20" y="20" dy=".36em" text-anchor="middle" font-size="16" fill={hexOf(inks[2])}>
            {initialsOf(username)}
          </text>
        )}
      </svg>
    );
  }
  const order = size === "lead" ? { fetchpriority: "high" as const } : { loading: "lazy" as const };
  return (
    <img
      class={name}
      src={inFormat(avatar_url, "t300x300")}
      srcset={srcsetOf(avatar_url, 500)}
      sizes={`${side}px`}
      width={side}
      height={side}
      alt=""
      {...order}
    />
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
