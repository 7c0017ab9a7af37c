import { moment } from "../../../ui/words.ts";

interface ScheduledProps {
  /** Null to everybody but the owner. */
  at: string | null;
}

/** Tells owners when their track or set becomes public. The script of their own pages shows it in their time zone. */
export const Scheduled = ({ at }: ScheduledProps) =>
  at && (
    <p class="own-state" data-state="scheduled">
      <span>
        <Sentence at={at} />
      </span>
    </p>
  );

/** The same on the page of the track or set. */
export const ScheduledNotice = ({ at }: ScheduledProps) =>
  at && (
    <div class="notice" data-state="scheduled">
      <div>
        <strong>
          <Sentence at={at} />
        </strong>
        <p>Until then only you see it, and those who have the private link.</p>
      </div>
    </div>
  );

const Sentence = ({ at }: { at: string }) =>
  Date.parse(at) > Date.now() ? (
    <>
      Will be published on{" "}
      <time datetime={at} data-moment>
        {moment(at)}
      </time>
    </>
  ) : (
    <>Will be published as soon as it plays</>
  );
