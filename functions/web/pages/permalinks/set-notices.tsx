import type { PlaylistRow } from "../../../../db/queries/playlists.ts";
import { ScheduledNotice } from "../rows/scheduled.tsx";

/** Says why others do not see a set or podcast: an operator removed it, or its time has yet to come. */
export const SetNotices = ({ row, publishAt }: { row: PlaylistRow; publishAt: string | null }) =>
  row.taken_down_at === null ? <ScheduledNotice at={publishAt} /> : <RemovedNotice />;

/** Only the owner sees the page of such a set. */
const RemovedNotice = () => (
  <div class="notice bad" data-state="taken-down">
    <div>
      <strong>This set was removed</strong>
      <p>
        Only you can see this page. Its tracks stay where else they are.{" "}
        <a href="/you/removals">Read why, and answer</a>
      </p>
    </div>
  </div>
);
