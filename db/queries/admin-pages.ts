import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { planQuotas } from "../schema/moderation.ts";
import type { ReplyOf, Shape } from "../shape.ts";
import { repeatAs, type SignedIn } from "./caller.ts";
import { ListedMail, type MailState } from "./mails.ts";
import { Act, ModeratedUser, type Page, ShownUser } from "./moderation.ts";
import { ModeratedApp } from "./moderation-apps.ts";
import { ReportRow, type ReportState } from "./moderation-reports.ts";
import { type MeantTrack, ModeratedTrack } from "./moderation-tracks.ts";
import { DeadLetter, Delivery, type DeliveryState, Job, type JobState } from "./operations.ts";

/** Contents of the pages for operators. Fails with `NotOperator` or `SecondFactorNeeded` for others. */

/** Acts that stand on the page of a user or a track. */
const NEWEST_ACTS = 20;

const show = <Reply>(db: Database, user: SignedIn, page: string, shape: Shape<Reply>, given: object = {}) =>
  repeatAs(db, "show_admin_page", shape, user, { page, given });

const Overview = () =>
  z.strictObject({
    reports_open: z.number(),
    jobs_failed: z.number(),
    jobs_waiting: z.number(),
    jobs_running: z.number(),
    /** Null if none waits. */
    oldest_waiting_s: z.number().nullable(),
    dead_letters: z.number(),
    mails_failed: z.number(),
    mails_waiting: z.number(),
    deliveries_pending: z.number(),
    deliveries_failed: z.number(),
    webhooks_disabled: z.number(),
    /** The comparison of counters with their rows, by kind. */
    recounts: z.array(
      z.strictObject({
        kind: z.string(),
        checked: z.number(),
        repaired: z.number(),
        state: z.enum(["running", "due", "done"]),
        /** Null when it is due. */
        begun_at: z.string().nullable(),
      }),
    ),
  });
export type Overview = ReplyOf<typeof Overview>;

export const showOverview = (db: Database, user: SignedIn) => show(db, user, "overview", Overview);

const Jobs = () => z.array(Job());
const DeadLetters = () => z.array(DeadLetter());
const Deliveries = () => z.array(Delivery());

export const showJobs = (db: Database, user: SignedIn, page: Page & { state: JobState }) =>
  show(db, user, "jobs", Jobs, page);

export const showDeadLetters = (db: Database, user: SignedIn, page: Page) =>
  show(db, user, "dead-letters", DeadLetters, page);

export const showDeliveries = (db: Database, user: SignedIn, page: Page & { state: DeliveryState }) =>
  show(db, user, "deliveries", Deliveries, page);

const Mails = () => z.array(ListedMail());

export const showMails = (db: Database, user: SignedIn, page: Page & { state: MailState }) =>
  show(db, user, "mails", Mails, page);

const PlanQuotas = () => z.array(rowOf(planQuotas));

/** The limits of every plan. */
export const showPlanQuotas = (db: Database, user: SignedIn) => show(db, user, "quotas", PlanQuotas);

const Reports = () => z.array(ReportRow());
const Users = () => z.array(ModeratedUser());
const Apps = () => z.array(ModeratedApp());
const Acts = () => z.array(Act());

/** Open reports go on above `before`, the others below it. */
export const showReports = (db: Database, user: SignedIn, page: Page & { state: ReportState }) =>
  show(db, user, "reports", Reports, page);

export const showUsers = (db: Database, user: SignedIn, page: Page & { words: string }) =>
  show(db, user, "users", Users, page);

const UserPage = () => z.strictObject({ user: ShownUser().nullable(), acts: Acts() });

/** A user, with the newest acts on it. */
export const showUserPage = (db: Database, user: SignedIn, id: number) =>
  show(db, user, "user", UserPage, { id, limit: NEWEST_ACTS });

const TrackPage = () => z.strictObject({ track: ModeratedTrack(), acts: Acts() }).nullable();

/** A track, with the newest acts on it. */
export const showTrackPage = (db: Database, user: SignedIn, meant: MeantTrack) =>
  show(db, user, "track", TrackPage, { ...meant, limit: NEWEST_ACTS });

const Tracks = () => z.array(ModeratedTrack());

/** Tracks whose title contains the words. */
export const showTracks = (db: Database, user: SignedIn, page: Page & { words: string }) =>
  show(db, user, "tracks", Tracks, page);

export const showApps = (db: Database, user: SignedIn, page: Page & { words: string }) =>
  show(db, user, "apps", Apps, page);

/** All acts, or those on one kind of thing. */
export const showActs = (db: Database, user: SignedIn, page: Page & { kind: string | null }) =>
  show(db, user, "acts", Acts, page);
