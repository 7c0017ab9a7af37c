import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { VERSION } from "../../../functions/api/health/version.ts";

/** Log records and spans of OTLP's JSON: opentelemetry.io/docs/specs/otlp */

type Line = Record<string, unknown>;

export interface LogRecord {
  timeUnixNano: string;
  severityNumber: number;
  severityText: string;
  body: { stringValue: string };
  attributes: Attribute[];
  traceId?: string;
  spanId?: string;
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number };
}

type Attribute = ReturnType<typeof attribute>;

const SEVERITIES: Record<string, number> = { info: 9, warn: 13, error: 17 };
const SERVER_KIND = 2;
const ERROR_STATUS = 2;

/** Fields of a line that have places of their own in a record. */
const PLACED = new Set(["ts", "time", "level", "event", "message", "trace_id", "span_id", "parent_span_id"]);

/** Returns the record of a line of the log and, if a request wrote it, the request's span. */
export function recordsOf(text: string): { record: LogRecord; span: Span | undefined } {
  const line = parsed(text);
  const { trace_id, span_id } = line;
  const isRequest = line.event === "request" && typeof line.ms === "number";
  // A request without a caller's trace begins one.
  const traceId = trace_id ?? (isRequest ? randomBytes(16).toString("hex") : undefined);
  const spanId = span_id ?? (isRequest ? randomBytes(8).toString("hex") : undefined);
  const ids = traceId && spanId ? { traceId: String(traceId), spanId: String(spanId) } : undefined;
  const level = String(line.level ?? "info");
  const attributes = Object.entries(line)
    .filter(([name, value]) => !PLACED.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => attribute(name, value));
  const record = {
    timeUnixNano: nanoseconds(timeOf(line)),
    severityNumber: SEVERITIES[level] ?? SEVERITIES.info ?? 0,
    severityText: level.toUpperCase(),
    body: { stringValue: String(line.event ?? line.message ?? text) },
    attributes,
    ...ids,
  };
  return { record, span: isRequest && ids ? spanOf(line, ids, attributes) : undefined };
}

function spanOf(line: Line, ids: Pick<Span, "traceId" | "spanId">, attributes: Attribute[]): Span {
  const endMs = timeOf(line);
  return {
    ...ids,
    ...(typeof line.parent_span_id === "string" && { parentSpanId: line.parent_span_id }),
    name: `${line.method} ${line.route}`,
    kind: SERVER_KIND,
    startTimeUnixNano: nanoseconds(endMs - Number(line.ms)),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: [
      attribute("http.request.method", line.method),
      attribute("http.route", line.route),
      attribute("http.response.status_code", line.status),
      ...attributes,
    ],
    status: Number(line.status) >= 500 ? { code: ERROR_STATUS } : {},
  };
}

function parsed(text: string): Line {
  try {
    const line = JSON.parse(text);
    return typeof line === "object" && line !== null ? line : {};
  } catch {
    return {};
  }
}

/** Milliseconds. */
const timeOf = ({ ts, time }: Line): number => Date.parse(String(ts ?? time)) || Date.now();

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

const attribute = (key: string, value: unknown) => ({ key, value: typed(value) });

function typed(value: unknown) {
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: typeof value === "string" ? value : JSON.stringify(value) };
}

const RESOURCE = {
  attributes: [
    attribute("service.name", "soundpost"),
    attribute("service.version", VERSION),
    attribute("host.name", hostname()),
  ],
};

const SCOPE = { name: "soundpost" };

export const packLogs = (logRecords: LogRecord[]) => ({
  resourceLogs: [{ resource: RESOURCE, scopeLogs: [{ scope: SCOPE, logRecords }] }],
});

export const packSpans = (spans: Span[]) => ({
  resourceSpans: [{ resource: RESOURCE, scopeSpans: [{ scope: SCOPE, spans }] }],
});
