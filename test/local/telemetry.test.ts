import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { openExporter, readCollector } from "../../workers/local/telemetry/exporter.ts";
import { type LogRecord, recordsOf, type Span } from "../../workers/local/telemetry/records.ts";

/** A collector that takes OTLP, or answers `status`. */
let server: Server;
let status: number;
let taken: { path: string; key: unknown; body: unknown }[];
let said: string[];
let port: number;

const listen = () =>
  new Promise<void>((listening, failed) => {
    server = createServer(async (request, response) => {
      const body = await json(request);
      if (status === 200) taken.push({ path: request.url ?? "", key: request.headers["x-key"], body });
      response.writeHead(status).end("{}");
    }).listen(port, "127.0.0.1", listening);
    server.once("error", failed);
  });

beforeEach(async () => {
  [status, taken, said] = [200, [], []];
  // One test gives the port up and takes it again, so it is none that the system hands out meanwhile.
  port = await freePorts(1);
  await listen();
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const open = () =>
  openExporter(
    { endpoint: `http://127.0.0.1:${port}/`, headers: { "X-Key": "k 1" } },
    { log: (line) => said.push(line), gatherMs: 5 },
  );

const line = (fields: object) => JSON.stringify({ ts: "2030-01-02T03:04:05.678Z", level: "info", ...fields });

interface Logs {
  resourceLogs: { scopeLogs: { logRecords: LogRecord[] }[] }[];
}
interface Traces {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

const logRecords = () =>
  taken
    .filter(({ path }) => path === "/v1/logs")
    .flatMap(({ body }) => (body as Logs).resourceLogs.flatMap(({ scopeLogs }) => scopeLogs))
    .flatMap((scope) => scope.logRecords);
const spans = () =>
  taken
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ body }) => (body as Traces).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
    .flatMap((scope) => scope.spans);
const events = () => logRecords().map(({ body }) => body.stringValue);

const REQUEST = { event: "request", method: "GET", route: "/tracks/:id", status: 503, ms: 12, sql_n: 1 };

test("a line becomes a record: its event, its level, its time, its fields by type", () => {
  const { record, span } = recordsOf(
    line({ event: "mail_failed", level: "warn", n: 2, share: 0.5, at: ["a"], is_last: true, none: null }),
  );
  expect(span).toBeUndefined();
  expect(record).toEqual({
    timeUnixNano: "1893553445678000000",
    severityNumber: 13,
    severityText: "WARN",
    body: { stringValue: "mail_failed" },
    attributes: [
      { key: "n", value: { intValue: "2" } },
      { key: "share", value: { doubleValue: 0.5 } },
      { key: "at", value: { stringValue: '["a"]' } },
      { key: "is_last", value: { boolValue: true } },
    ],
  });
});

test.each(["", "no JSON", "[1]", "null", '{"time":"never","message":"Uncaught"}'])(
  "a line of another form is a record too: %j",
  (text) => {
    const { record } = recordsOf(text);
    expect(record.body.stringValue).toBe(text.includes("Uncaught") ? "Uncaught" : text);
    expect(record.timeUnixNano).toMatch(/^\d{13}000000$/);
  },
);

test("a request's line is a span, within the caller's trace or in one of its own", () => {
  const trace = { trace_id: "a".repeat(32), span_id: "b".repeat(16), parent_span_id: "c".repeat(16) };
  const called = recordsOf(line({ ...REQUEST, ...trace }));
  expect(called.span).toMatchObject({
    traceId: trace.trace_id,
    spanId: trace.span_id,
    parentSpanId: trace.parent_span_id,
    name: "GET /tracks/:id",
    kind: 2,
    startTimeUnixNano: "1893553445666000000",
    endTimeUnixNano: "1893553445678000000",
    status: { code: 2 },
  });
  expect(called.span?.attributes).toContainEqual({
    key: "http.response.status_code",
    value: { intValue: "503" },
  });
  expect(called.record).toMatchObject({ traceId: trace.trace_id, spanId: trace.span_id });
  const { record, span } = recordsOf(line(REQUEST));
  expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(span).not.toHaveProperty("parentSpanId");
  expect(record).toMatchObject({ traceId: span?.traceId, spanId: span?.spanId });
});

test("lines and spans go in batches, with the operator's headers, and a stop sends the rest", async () => {
  const exporter = open();
  for (let at = 0; at < 1_200; at++) exporter.add(line({ event: `line ${at}` }));
  exporter.add(line(REQUEST));
  await exporter.stop();
  expect(events()).toEqual([...Array.from({ length: 1_200 }, (_, at) => `line ${at}`), "request"]);
  expect(spans()).toHaveLength(1);
  expect(taken.length).toBeLessThan(6);
  expect(new Set(taken.map(({ key }) => key))).toEqual(new Set(["k 1"]));
  expect(said).toEqual([]);
});

test("while the collector is away 10,000 lines wait; further ones are counted, and the count arrives", async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  const exporter = open();
  for (let at = 0; at < 10_007; at++) exporter.add(line({ event: `line ${at}` }));
  await expect
    .poll(() => said)
    .toEqual([`The collector at 127.0.0.1:${port} does not answer; log lines wait, and some may be lost`]);
  await listen();
  await expect.poll(() => events().length).toBe(10_001);
  expect(events().slice(-2)).toEqual(["line 9999", "log_lines_lost"]);
  expect(logRecords().at(-1)?.attributes).toEqual([{ key: "lines", value: { intValue: "7" } }]);
  await expect
    .poll(() => said.at(-1))
    .toBe(`The collector at 127.0.0.1:${port} takes log lines again; 7 were lost`);
  await exporter.stop();
});

test("lines that the collector refuses are lost and counted; those for which it asks again are sent again", async () => {
  const exporter = open();
  status = 400;
  exporter.add(line({ event: "refused" }));
  await expect.poll(() => said).toEqual([expect.stringContaining("answers 400; log lines wait")]);
  status = 503;
  exporter.add(line({ event: "late" }));
  await expect.poll(() => said).toHaveLength(1);
  status = 200;
  await expect.poll(events).toEqual(["late", "log_lines_lost"]);
  await exporter.stop();
});

test("headers are read as OpenTelemetry writes them, and no message shows one", () => {
  const read = (OTLP_HEADERS: string, OTLP_ENDPOINT = "https://otlp.example/base/") => {
    const problems: string[] = [];
    return readCollector({ OTLP_ENDPOINT, OTLP_HEADERS }, problems) ?? problems;
  };
  expect(read("Authorization=Basic%20YWJj, X-Scope = 1,")).toEqual([expect.stringContaining("OTLP_HEADERS")]);
  expect(read("Authorization=Basic%20YWJj=,X-Scope=1,")).toEqual({
    endpoint: "https://otlp.example/base/",
    headers: { Authorization: "Basic YWJj=", "X-Scope": "1" },
  });
  expect(read("A=%ff")).toEqual([expect.not.stringContaining("%ff")]);
  expect(read("A=1", "")).toEqual(["OTLP_HEADERS is set, but OTLP_ENDPOINT is not"]);
  expect(read("", "otlp.example:4318")).toEqual([
    expect.stringContaining("OTLP_ENDPOINT must be an address"),
  ]);
});
