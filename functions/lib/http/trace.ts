/** One request's place in a trace: W3C Trace Context. */
interface Trace {
  traceId: string;
  parentId: string;
  spanId: string;
  /** Whether the caller records this trace. */
  isSampled: boolean;
}

/** Version 00. Later versions begin alike and may continue after a dash. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** Returns `undefined` for a header that is missing or malformed. */
export function readTrace(header: string | undefined): Trace | undefined {
  const [, traceId, parentId, flags] = TRACEPARENT.exec(header ?? "") ?? [];
  if (!traceId || !parentId || !flags) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, parentId, spanId: newSpanId(), isSampled };
}

const newSpanId = () => crypto.randomUUID().replaceAll("-", "").slice(16);

/** The header for calls that this request makes. */
export const traceparentOf = ({ traceId, spanId, isSampled }: Trace): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;

/** Fields of a log line. */
export const traceFields = ({ traceId, spanId, parentId }: Trace) => ({
  trace_id: traceId,
  span_id: spanId,
  parent_span_id: parentId,
});
