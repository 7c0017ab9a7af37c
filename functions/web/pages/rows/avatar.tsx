import { DEFAULT_AVATAR } from "../../../api/images/links.ts";
import type { MiniUser } from "../../../api/users/representation.ts";
import { Initials } from "../../../ui/initials.tsx";
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
    return <Initials of={{ id, username }} class={name} side={side} isInLine={size === "line"} />;
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
