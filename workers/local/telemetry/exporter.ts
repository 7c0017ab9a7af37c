import { type LogRecord, packLogs, packSpans, recordsOf, type Span } from "./records.ts";
import { openSender } from "./sender.ts";

/** The operator's collector, which takes OTLP over HTTP. */
export interface Collector {
  /** Address below which `/v1/logs` and `/v1/traces` are. */
  endpoint: string;
  headers: Record<string, string>;
}

interface ExporterOptions {
  log: (line: string) => void;
  gatherMs?: number;
}

/** Ships lines of the log, and a span for each request among them. */
export function openExporter({ endpoint, headers }: Collector, { log, gatherMs }: ExporterOptions) {
  const at = (path: string) => endpoint.replace(/\/*$/, path);
  const common = { headers, log, ...(gatherMs !== undefined && { gatherMs }) };
  const logs = openSender<LogRecord>({
    ...common,
    name: "log lines",
    url: at("/v1/logs"),
    pack: packLogs,
    dropped: (lines) => add(JSON.stringify({ level: "warn", event: "log_lines_lost", lines })),
  });
  const traces = openSender<Span>({ ...common, name: "traces", url: at("/v1/traces"), pack: packSpans });

  function add(line: string): void {
    const { record, span } = recordsOf(line);
    logs.add(record);
    if (span) traces.add(span);
  }
  return {
    add,
    stop: async () => {
      await Promise.all([logs.stop(), traces.stop()]);
    },
  };
}

const isHeader = (header: string) => /^[\w!#$%&'*+.^`|~-]+=[^\r\n]*$/.test(header);

/** Reads the settings in the form of OpenTelemetry's own: headers are `name=value`, percent-encoded, with commas between. */
export function readCollector(
  { OTLP_ENDPOINT, OTLP_HEADERS }: Record<string, string | undefined>,
  problems: string[],
): Collector | undefined {
  if (OTLP_ENDPOINT && !/^https?:$/.test(URL.canParse(OTLP_ENDPOINT) ? new URL(OTLP_ENDPOINT).protocol : ""))
    problems.push(`OTLP_ENDPOINT must be an address, such as http://127.0.0.1:4318, not "${OTLP_ENDPOINT}"`);
  const headers = (OTLP_HEADERS ?? "").split(",").map((header) => header.trim());
  const set = headers.filter(Boolean);
  // Their values are keys, so no message shows them.
  if (!set.every((header) => isHeader(header) && isEncoded(header)))
    problems.push("OTLP_HEADERS must be headers, such as Authorization=Bearer%20KEY, with commas between");
  if (set.length && !OTLP_ENDPOINT) problems.push("OTLP_HEADERS is set, but OTLP_ENDPOINT is not");
  if (!OTLP_ENDPOINT || problems.length) return undefined;
  const split = set.map((header) => header.split(/=(.*)/s, 2));
  return {
    endpoint: OTLP_ENDPOINT,
    headers: Object.fromEntries(split.map(([name = "", value = ""]) => [name, decodeURIComponent(value)])),
  };
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== "";
  } catch {
    return false;
  }
}
