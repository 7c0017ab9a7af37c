import { statSync } from "node:fs";
import { isIP } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../local/stack/settings.ts";
import { PROJECT_DIR } from "../../local/worker/build.ts";
import { systemNode } from "./system-node.ts";

export const PACKAGED_NODE = join(PROJECT_DIR, "node_modules/node/bin/node");

/** Quotes for systemd, which also expands `%`. */
const quoted = (text: string) =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;

/** The account that owns the data, by name or number. */
function ownerOf(dataDir: string): string {
  const { uid } = statSync(dataDir, { throwIfNoEntry: false }) ?? { uid: process.getuid?.() ?? 0 };
  return uid === userInfo().uid ? userInfo().username : String(uid);
}

/**
 * Writes the systemd unit. It allows writable code, which V8 needs. Root runs the database as another user, so it keeps
 * the capabilities for that.
 */
export function systemdUnit({ dataDir, server, port, backupDir }: Settings, user = ownerOf(dataDir)): string {
  const node = systemNode() ?? PACKAGED_NODE;
  const isRoot = user === "root" || user === "0";
  const start = [node, join(PROJECT_DIR, "workers/local/stack/start.ts")].map(quoted).join(" ");
  const capabilities = isRoot ? "CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER CAP_KILL CAP_SETGID CAP_SETUID" : "";
  return `[Unit]
Description=Soundpost at ${server.urls.web}
Documentation=file:${join(PROJECT_DIR, "README.md")}
After=network-online.target
Wants=network-online.target

[Service]
User=${user}
WorkingDirectory=${PROJECT_DIR}
Environment=${quoted(`DATA_DIR=${dataDir}`)} ${quoted(`PORT=${port}`)} NODE_ENV=production
Environment=NODE_COMPILE_CACHE=/var/cache/soundpost
CacheDirectory=soundpost
# wrangler bundles the Worker in a folder of the project, the one that the service may write to.
ExecStartPre=+/usr/bin/install -d -o ${user} ${[".wrangler", ".wrangler/tmp"].map((folder) => quoted(join(PROJECT_DIR, folder))).join(" ")}
ExecStart=${start}
# The service stops its own parts in order: storage and the database come last.
KillMode=mixed
TimeoutStartSec=300
TimeoutStopSec=60
Restart=always
RestartSec=2
LimitNOFILE=65536

UMask=0077
ProtectSystem=strict
ReadWritePaths=${[dataDir, ...(backupDir ? [backupDir] : []), ...(isRoot ? ["/var/lib/soundpost"] : [])].map((path) => quoted(`-${path}`)).join(" ")}
ReadWritePaths=${quoted(`-${join(PROJECT_DIR, ".wrangler")}`)}
ProtectHome=${PROJECT_DIR.startsWith("/home/") || dataDir.startsWith("/home/") || isRoot ? "no" : "yes"}
PrivateTmp=${[PROJECT_DIR, dataDir].some((path) => /^\/(?:var\/)?tmp\//.test(path)) ? "no" : "yes"}
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
NoNewPrivileges=yes
CapabilityBoundingSet=${capabilities}
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native

[Install]
WantedBy=multi-user.target
`;
}

/** Writes the units of a backup each night. One that was missed is made up for, and each is read back. */
export function timerUnits(
  { dataDir }: Settings,
  user = ownerOf(dataDir),
): { service: string; timer: string } {
  const node = systemNode() ?? PACKAGED_NODE;
  const backup = [node, join(PROJECT_DIR, "workers/admin/main.ts")].map(quoted).join(" ");
  return {
    service: `[Unit]
Description=Backup of Soundpost
Documentation=file:${join(PROJECT_DIR, "workers/local/recovery.md")}

[Service]
Type=oneshot
User=${user}
WorkingDirectory=${PROJECT_DIR}
Environment=${quoted(`DATA_DIR=${dataDir}`)} NODE_ENV=production
ExecStart=${backup} backup --verify
Nice=10
IOSchedulingClass=idle
UMask=0077
NoNewPrivileges=yes
`,
    timer: `[Unit]
Description=Backup of Soundpost each night

[Timer]
OnCalendar=*-*-* 03:40
RandomizedDelaySec=20min
Persistent=true

[Install]
WantedBy=timers.target
`,
  };
}

/** Writes Caddy's configuration. Caddy gets and renews the certificates by itself. */
export function caddyfile({ server, storage, port, env }: Settings): string {
  const { api, auth, web, older, objects } = server.urls;
  const main = [...new Set([api, auth, web])];
  const { countryHeader } = server;
  const host = hostFor(server.bind);
  const sites = [
    site(main, `${host}:${port}`, countryHeader),
    ...(env.OLDER_BEHAVIOUR === "on" && !main.includes(older)
      ? [site([older], `${host}:${port + 1}`, countryHeader)]
      : []),
    ...(storage ? [] : [site([objects], `${host}:${port + 2}`)]),
  ];
  return sites.join("\n");
}

/** The address by which a proxy on this machine reaches the ports: loopback, if they listen there. */
function hostFor(bind: string[]): string {
  const isBound = (...addresses: string[]) => addresses.some((address) => bind.includes(address));
  if (isBound("127.0.0.1", "0.0.0.0")) return "127.0.0.1";
  const [first = "127.0.0.1"] = bind;
  const address = isBound("::1", "::") ? "::1" : first;
  return isIP(address) === 6 ? `[${address}]` : address;
}

/**
 * Streams of events and large files pass unbuffered. Caddy replaces what clients say about their address, and the country
 * by that of its module geoip2. Without the module it names none.
 */
const site = (urls: string[], upstream: string, countryHeader?: string): string => `${urls.join(", ")} {
	encode zstd gzip
	reverse_proxy ${upstream} {
		flush_interval -1${countryHeader ? `\n\t\theader_up ${countryHeader} {geoip2.country_code}` : ""}
	}
}
`;
