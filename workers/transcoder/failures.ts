/** Reasons for failure, and whether another attempt may succeed. Permanent ones concern the file, or its loss. */
export const RETRYABLE = {
  empty_file: false,
  unsupported_format: false,
  no_audio_stream: false,
  unreadable_container: false,
  unsupported_codec: false,
  free_format: false,
  protected: false,
  undecodable: false,
  too_long: false,
  oversized: false,
  source_missing: false,
  source_unavailable: true,
  source_interrupted: true,
  output_unavailable: true,
  killed: true,
  stalled: true,
  timeout: true,
  no_space: true,
  report_refused: true,
} as const;

export type FailureReason = keyof typeof RETRYABLE;

export class JobFailure extends Error {
  readonly reason: FailureReason;
  readonly retryable: boolean;

  constructor(reason: FailureReason, detail: string) {
    super(detail);
    this.reason = reason;
    this.retryable = RETRYABLE[reason];
  }
}

/** The Worker gave this job to another attempt. Send no further reports. */
export class LeaseLost extends Error {}

/** Unexpected errors are our fault, not the file's, so the job may be retried. */
export const asFailure = (error: unknown): JobFailure =>
  error instanceof JobFailure ? error : new JobFailure("killed", `unexpected: ${String(error)}`);
