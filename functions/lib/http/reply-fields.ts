import * as z from "zod";
import { about } from "../text/fields.ts";

/** Fields that mean the same in every representation. Paths and ids are those of the example. */

export const kindOf = <Kind extends string>(kind: Kind) =>
  z.literal(kind).describe("Tells representations apart.");

export const resourceId = (id: number) =>
  z.int().meta(about("Unique among its kind. Safe as a JSON number.", id));

export const resourceUrn = (path: string) =>
  z.string().meta(about("The id with its kind.", `soundcloud:${path}`));

export const resourceUri = (path: string) =>
  z.url().meta(about("Address in the API.", `https://api.soundpost.example/${path}`));

export const pageUrl = (path: string) =>
  z.url().meta(about("Page on the site.", `https://soundpost.example/${path}`));

export const CreatedAt = z
  .string()
  .meta(about("UTC, as `yyyy/mm/dd hh:mm:ss +0000`.", "2026/11/23 12:00:00 +0000"));

export const LastModified = z.string().meta(about("Last change, UTC.", "2026/11/23 12:00:00 +0000"));

export const PublishAt = z.iso
  .datetime()
  .nullable()
  .meta(
    about(
      "Time at which it becomes public, as RFC 3339. Shown to the owner only; null for others and without one.",
      null,
    ),
  );

export const PublishedAt = z.iso
  .datetime()
  .nullable()
  .meta(about("First publication, as RFC 3339; null if it never was public.", "2026-11-23T12:00:00Z"));

export const UserId = z
  .int()
  .meta(about("The user's id; the owner's in tracks and playlists.", 338914811904777));

export const UserUrn = z.string().meta(about("The user's URN.", "soundcloud:users:338914811904777"));
