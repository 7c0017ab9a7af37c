import type { Words } from "./schema.ts";

const API = "https://api.soundpost.example";
const SITE = "https://soundpost.example";

interface Kind {
  /** Schemas of this kind. */
  of: string[];
  id: number;
  path: string;
  urn?: string;
  page?: string;
}

const KINDS: Kind[] = [
  {
    of: ["MiniUser", "User", "Me", "CommentUser", "Users", "UserPage"],
    ...{ id: 338914811904777, path: "users", urn: "users", page: "ana" },
  },
  {
    of: ["Playlist", "WebhookPlaylist"],
    ...{ id: 338914811904500, path: "playlists", urn: "playlists", page: "ana/sets/night" },
  },
  { of: ["Comment", "WebhookComment"], id: 338914811904100, path: "comments", urn: "comments" },
  {
    of: ["App", "OwnApp", "AppWithSecret", "MiniApp"],
    ...{ id: 338914811904900, path: "apps", page: "apps/night-player" },
  },
  { of: ["WebProfile"], id: 338914811904400, path: "web-profiles", urn: "web-profiles" },
  { of: ["Connection"], id: 338914811904300, path: "me/connections", urn: "connections" },
  { of: ["Webhook", "WebhookWithSecret"], id: 338914811904600, path: "me/webhooks" },
  { of: ["WebhookDelivery"], id: 338914811904800, path: "me/webhooks/338914811904600/deliveries" },
  { of: ["Upload", "UploadWithParts"], id: 338914811904200, path: "uploads" },
];

const wordsFor = (owner: string, { id, path, urn, page }: Omit<Kind, "of">): Words => ({
  [`${owner}.id`]: ["Unique among its kind. Safe as a JSON number.", id],
  [`${owner}.uri`]: ["Address in the API.", `${API}/${path}/${id}`],
  ...(urn !== undefined && {
    [`${owner}.urn`]: ["The id with its kind.", `soundpost:${urn}:${id}`] as const,
  }),
  ...(page !== undefined && {
    [`${owner}.permalink_url`]: ["Page on the site.", `${SITE}/${page}`] as const,
    [`${owner}.permalink`]: ["Last part of the page's address.", page.split("/").at(-1)] as const,
  }),
});

/** Examples of what identifies a resource. Elsewhere it is a track. */
export const ADDRESS_WORDS: Words = Object.assign(
  {},
  ...KINDS.flatMap(({ of, ...kind }) => of.map((owner) => wordsFor(owner, kind))),
);
