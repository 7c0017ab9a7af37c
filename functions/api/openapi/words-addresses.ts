import type { Words } from "./schema.ts";

const API = "https://api.soundpost.example";
const SITE = "https://soundpost.example";

interface Kind {
  /** The `kind` of these representations, or their schemas if they have none. */
  of: string[];
  id: number;
  path: string;
  urn?: string;
  page?: string;
}

const KINDS: Kind[] = [
  { of: ["user"], id: 338914811904777, path: "users", urn: "users", page: "ana" },
  { of: ["playlist"], id: 338914811904500, path: "playlists", urn: "playlists", page: "ana/sets/night" },
  { of: ["comment"], id: 338914811904100, path: "comments", urn: "comments" },
  { of: ["app"], id: 338914811904900, path: "apps", page: "apps/night-player" },
  { of: ["web-profile"], id: 338914811904400, path: "web-profiles", urn: "web-profiles" },
  { of: ["connection"], id: 338914811904300, path: "me/connections", urn: "connections" },
  { of: ["webhook"], id: 338914811904600, path: "me/webhooks" },
  { of: ["webhook-delivery"], id: 338914811904800, path: "me/webhooks/338914811904600/deliveries" },
  { of: ["Upload", "UploadWithParts"], id: 338914811904200, path: "uploads" },
];

/** Lists by schema. Elsewhere a page is one of tracks. */
const LISTS: Record<string, string> = {
  Activities: "me/activities",
  Comments: "tracks/338914811904001/comments",
  Connections: "me/connections",
  Feed: "me/feed",
  OwnApps: "me/apps",
  Playlists: "playlists",
  TrackFeed: "me/feed/tracks",
  TrackIds: "me/favorites/ids",
  Uploads: "uploads",
  UserPage: "me/followers",
  Users: "users",
  WebhookDeliveries: "me/webhooks/338914811904600/deliveries",
  Webhooks: "me/webhooks",
};

const listWords = ([schema, path]: [string, string]): Words => ({
  [`${schema}.next_href`]: [
    "The next page; absent on the last one.",
    `${API}/${path}?linked_partitioning=true&cursor=eyJh`,
  ],
  [`${schema}.future_href`]: ["", `${API}/${path}?uuid%5Bto%5D=eyJh`],
});

const wordsFor = (owner: string, { id, path, urn, page }: Omit<Kind, "of">): Words => ({
  [`${owner}.id`]: ["Unique among its kind. Safe as a JSON number.", id],
  [`${owner}.uri`]: ["Address in the API.", `${API}/${path}/${id}`],
  ...(urn !== undefined && {
    [`${owner}.urn`]: ["The id with its kind.", `soundcloud:${urn}:${id}`] as const,
  }),
  ...(page !== undefined && {
    [`${owner}.permalink_url`]: ["Page on the site.", `${SITE}/${page}`] as const,
    [`${owner}.permalink`]: ["Last part of the page's address.", page.split("/").at(-1)] as const,
  }),
});

/** Examples of what identifies a resource. Elsewhere it is a track. */
export const ADDRESS_WORDS: Words = Object.assign(
  {},
  ...Object.entries(LISTS).map(listWords),
  ...KINDS.flatMap(({ of, ...kind }) => of.map((owner) => wordsFor(owner, kind))),
);
