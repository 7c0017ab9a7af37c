import type { Context } from "hono";
import { findPublicSamples } from "../../../db/queries/sample-ids.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { describeError, logLine } from "../../lib/http/log.ts";
import { NAMED } from "./code-tabs.ts";
import type { NamedOperation } from "./document.ts";

/**
 * Samples name ids, such as `{TRACK_ID}`. The pages fill in those of everybody's, and the reader's own by a script. A name
 * that begins with `ANY_` may become an id of somebody else's.
 */

/** Pages that tell how to get an id, by its name in samples. */
const MAKES = {
  TRACK_ID: "/docs/upload",
  OLDER_TRACK_ID: "/docs/upload",
  FAILED_TRACK_ID: "/docs/upload",
  TRANSCRIBED_TRACK_ID: "/docs/reference/tracks#put-tracks-id-transcript",
  CHAPTERED_TRACK_ID: "/docs/reference/tracks#put-tracks-id-chapters",
  CHAPTER_START: "/docs/reference/tracks#put-tracks-id-chapters",
  LIKED_TRACK_ID: "/docs/reference/likes#post-likes-tracks-id",
  REPOSTED_TRACK_ID: "/docs/reference/reposts#post-reposts-tracks-id",
  CREDITED_TRACK_ID: "/docs/upload#artists",
  PLAYLIST_ID: "/docs/reference/playlists#post-playlists",
  PLAYLIST_TRACK_ID: "/docs/reference/playlists#put-playlists-id-tracks",
  PODCAST_ID: "/docs/reference/playlists#put-playlists-id-podcast",
  LIKED_PLAYLIST_ID: "/docs/reference/likes#post-likes-playlists-id",
  REPOSTED_PLAYLIST_ID: "/docs/reference/reposts#post-reposts-playlists-id",
  COMMENT_ID: "/docs/reference/tracks#post-tracks-id-comments",
  COMMENTED_TRACK_ID: "/docs/reference/tracks#post-tracks-id-comments",
  USER_ID: "/docs/reference/me#get-me",
  OTHER_USER_ID: "/docs/reference/users#get-users",
  FOLLOWED_USER_ID: "/docs/reference/me#put-me-followings-userid",
  FOLLOWER_ID: "/docs/reference/me#get-me-followers",
  USER_PERMALINK: "/docs/reference/me#get-me-permalink",
  UPLOAD_ID: "/docs/reference/uploads#post-uploads",
  OPEN_UPLOAD_ID: "/docs/reference/uploads#post-uploads",
  READY_UPLOAD_ID: "/docs/upload#large-files-in-parts",
  APP_ID: "/docs/reference/me#post-me-apps",
  WEBHOOK_ID: "/docs/reference/webhooks#post-me-webhooks",
  DELIVERY_ID: "/docs/reference/webhooks#post-me-webhooks-id-test",
  EVENT_ID: "/docs/webhooks#test-and-replay",
  CONNECTION_ID: "/docs/reference/me#post-me-connections",
  IMPORT_ID: "/docs/podcasts",
  EPISODE_ID: "/docs/podcasts",
  TRACK_PAGE: "/docs/upload",
} as const;

type SampleName = keyof typeof MAKES;
export type Samples = Partial<Record<SampleName, string | number | null>>;

/** Fills what is known into a text. Names lose their braces for the rest. */
export const withSamples = (text: string, samples: Samples): string =>
  text.replace(NAMED, (_, any: string | undefined, name: SampleName) =>
    String((any && samples[name]) || name),
  );

/** The names that stay in a text, and where to get what they stand for. */
export const namesIn = (text: string, samples: Samples = {}): [name: SampleName, makes: string][] => {
  const names = Array.from(text.matchAll(NAMED), ([, any, name]) => [any, name as SampleName] as const);
  const staying = names.flatMap(([any, name]) => (any && samples[name] ? [] : [name]));
  return [...new Set(staying)].map((name) => [name, MAKES[name]]);
};

/** Finds what everybody may read. Without the database, the docs are still there, and have names. */
export async function publicSamples(c: Context<AppEnv>): Promise<Samples> {
  try {
    const found = await findPublicSamples(c.var.db.forVisitors());
    return found ? asSamples(c.env, found) : {};
  } catch (error) {
    logLine("warn", "docs_without_samples", describeError(error));
    return {};
  }
}

/** `page` is the path of a track's page. */
export const asSamples = (
  env: AppEnv["Bindings"],
  { page, ...ids }: Samples & { page: string | null },
): Samples => ({
  ...ids,
  TRACK_PAGE: page && webUrl(env, `/${page}`),
});

/** Names of ids in samples, by the segment of the path before the parameter. */
const BY_SEGMENT: Record<string, SampleName> = {
  tracks: "TRACK_ID",
  playlists: "PLAYLIST_ID",
  users: "USER_ID",
  comments: "COMMENT_ID",
  favoriters: "USER_ID",
  favorites: "LIKED_TRACK_ID",
  credits: "CREDITED_TRACK_ID",
  followings: "FOLLOWED_USER_ID",
  followers: "FOLLOWER_ID",
  uploads: "UPLOAD_ID",
  apps: "APP_ID",
  webhooks: "WEBHOOK_ID",
  deliveries: "DELIVERY_ID",
  events: "EVENT_ID",
  connections: "CONNECTION_ID",
  "podcast-imports": "IMPORT_ID",
  episodes: "EPISODE_ID",
};

/** Operations that need something particular. The first that matches counts. */
const PARTICULAR: [operations: RegExp, parameter: string, name: SampleName][] = [
  [/^PUT .*\/followings\/|^PUT .*shared-to/, "userId", "OTHER_USER_ID"],
  [/^PUT .*\/favorites\//, "track", "TRACK_ID"],
  [/^PUT \/me\/favorites\//, "id", "TRACK_ID"],
  [/^DELETE \/likes\/tracks|\/favoriters\/\{user\}/, "id", "LIKED_TRACK_ID"],
  [/^DELETE \/reposts\/tracks/, "id", "REPOSTED_TRACK_ID"],
  [/^DELETE \/likes\/playlists/, "id", "LIKED_PLAYLIST_ID"],
  [/^DELETE \/reposts\/playlists/, "id", "REPOSTED_PLAYLIST_ID"],
  [/\/comments\/\{commentId\}/, "id", "COMMENTED_TRACK_ID"],
  [/\/playlists\/\{id\}\/tracks\/\{trackId\}/, "trackId", "PLAYLIST_TRACK_ID"],
  [/^(?:GET|DELETE) \/playlists\/\{id\}\/podcast/, "id", "PODCAST_ID"],
  [/^(?:GET|DELETE) \/tracks\/\{id\}\/transcript/, "id", "TRANSCRIBED_TRACK_ID"],
  [/^POST \/tracks\/\{id\}\/retry/, "id", "FAILED_TRACK_ID"],
  [/\/chapters\/\{start\}\/picture/, "id", "CHAPTERED_TRACK_ID"],
  [/\/chapters\/\{start\}\/picture/, "start", "CHAPTER_START"],
  [/^(?:DELETE|POST) \/uploads\/\{id\}/, "id", "OPEN_UPLOAD_ID"],
];

/** Returns the name that stands for a parameter in a sample's path. `undefined` if it is no id. */
export function nameFor({ method, path }: NamedOperation, parameter: string): SampleName | undefined {
  const route = `${method} ${path}`;
  const found = PARTICULAR.find(([operations, name]) => name === parameter && operations.test(route));
  const [, segment = ""] = new RegExp(`([\\w-]+)/\\{${parameter}\\}`).exec(path) ?? [];
  return found?.[2] ?? BY_SEGMENT[segment];
}

/** Ids of the document's examples of bodies. */
const EXAMPLES: Record<string, SampleName> = {
  338914811904001: "TRACK_ID",
  338914811903001: "OLDER_TRACK_ID",
  338914811904100: "COMMENT_ID",
  338914811904777: "OTHER_USER_ID",
  338914811904200: "READY_UPLOAD_ID",
};

const EXAMPLE = new RegExp(`\\b(?:${Object.keys(EXAMPLES).join("|")})\\b`, "g");

/** Names instead of the ids of the document's examples. */
export const withNames = (text: string): string => text.replace(EXAMPLE, (id) => `{${EXAMPLES[id]}}`);

/** Matches what people do to each other's tracks, playlists and comments. */
const ACTS =
  /^(?:POST|PUT) (?:\/likes|\/reposts|\/me\/favorites|\/users\/\{id\}\/favorites|\/tracks\/\{id\}\/comments)/;

/** Whether a sample may name what belongs to somebody else. */
export const mayNameOthers = ({ method, path, security = [] }: NamedOperation): boolean =>
  ACTS.test(`${method} ${path}`) || !security.length || security.some((one) => "app" in one);
