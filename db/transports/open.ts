import type { NeonQueryFunction } from "@neondatabase/serverless";
import { drizzle, type NeonHttpDatabase } from "drizzle-orm/neon-http";
import * as schema from "../schema/index.ts";
import { traced } from "../trace.ts";
import { neonTransport } from "./neon-http.ts";
import { pgTransport } from "./pg.ts";
import type { Address, Client, Transport } from "./transport.ts";

export interface Connection extends Address {
  /** How statements travel. By default `pg` if there is a HYPERDRIVE, or else `neon-http`. */
  DATABASE_TRANSPORT?: "neon-http" | "pg";
  /** The binding whose address replaces DATABASE_URL. */
  HYPERDRIVE?: { connectionString: string };
  /** A replica for reads, reached by the same transport. */
  READ_DATABASE_URL?: string;
  READ_DATABASE_PROXY_URL?: string;
  READ_HYPERDRIVE?: { connectionString: string };
  /** Checks that replies match their shapes. Local only: a deployment never builds shapes. */
  CHECK_REPLIES?: "on" | "off";
}

export type Drizzle = NeonHttpDatabase<typeof schema>;

export interface Driver extends Transport {
  drizzle: Drizzle;
}

const drivers = new Map<string, Driver>();

/** Returns the isolate's driver of an address. Each request asks, so only a new driver copies the connection. */
export function driverOf(connection: Connection): Driver {
  const { HYPERDRIVE } = connection;
  const DATABASE_URL = HYPERDRIVE?.connectionString ?? connection.DATABASE_URL;
  const existing = drivers.get(DATABASE_URL);
  if (existing) return existing;
  const name = connection.DATABASE_TRANSPORT ?? (HYPERDRIVE ? "pg" : "neon-http");
  const open = name === "pg" ? pgTransport : neonTransport;
  const transport = tracedTransport(open({ ...connection, DATABASE_URL }));
  const made = { ...transport, drizzle: builderOver(transport.client) };
  drivers.set(DATABASE_URL, made);
  return made;
}

const tracedTransport = ({ client, ...transport }: Transport): Transport => ({
  ...transport,
  client: {
    query: (text, ...more) => client.query(traced(text), ...more),
    transaction: (statements, options) => client.transaction(statements, options),
  },
});

/** Both transports share a builder: Drizzle's for Neon asks nothing of its client but what `Client` has. */
const builderOver = (client: Client): Drizzle =>
  drizzle(client as unknown as NeonQueryFunction<false, false>, { schema, casing: "snake_case" });
