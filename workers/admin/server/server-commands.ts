import { givenSettings, NAMES, readSettings, type Settings } from "../../local/stack/settings.ts";
import { type Invocation, UsageError } from "../arguments.ts";
import { check } from "./check.ts";
import type { Finding } from "./finding.ts";
import { ROTATIONS, type Rotated, rotate } from "./rotate.ts";
import { caddyfile, systemdUnit, timerUnits } from "./service.ts";

/** A reply as JSON, and as a text for people. */
export type Said = { json: object; text: string; failed?: boolean };

const SECRETS = Object.keys(ROTATIONS) as Rotated[];

/** Commands for one's own server. They need neither the stack nor its database. */
export const serverCommands: Record<string, (given: Invocation) => Promise<Said>> = {
  async check(given) {
    refuseEnvironment(given);
    const findings = await check();
    const failed = findings.some(({ state }) => state === "wrong");
    return { json: { ok: !failed, findings }, text: findings.map(line).join(""), failed };
  },

  async service(given) {
    refuseEnvironment(given);
    const settings = readSettings();
    if (!settings.server.behindProxy)
      throw new UsageError(
        "Set API_URL and OBJECTS_URL to https addresses first, in DATA_DIR/settings.env: Caddy serves what they name",
      );
    const unit = systemdUnit(settings, given.option("user"));
    const caddy = caddyfile(settings);
    const [onlyUnit, onlyCaddy] = [given.flag("unit"), given.flag("caddy")];
    if (!onlyCaddy || given.flag("timer")) refuseUnwritten(settings);
    if (given.flag("timer")) return backupUnits(settings, given.option("user"));
    const text = onlyUnit ? unit : onlyCaddy ? caddy : both(unit, caddy);
    return { json: { unit, caddyfile: caddy }, text };
  },

  ...Object.fromEntries(
    SECRETS.map((name) => [`rotate ${name}`, (given: Invocation) => rotate(name, given)]),
  ),
};

/** A shell runs the text: two files, of which systemd starts the second. */
function backupUnits(settings: Settings, user: string | undefined): Said {
  if (!settings.backupDir)
    throw new UsageError("Set BACKUP_DIR in DATA_DIR/settings.env first: that is where the backups go");
  const { service, timer } = timerUnits(settings, user);
  const written = (name: string, text: string) =>
    `cat > /etc/systemd/system/soundpost-backup.${name} <<'END'\n${text}END\n`;
  return { json: { service, timer }, text: written("service", service) + written("timer", timer) };
}

/** A unit gets no variables of this shell but DATA_DIR and PORT. */
function refuseUnwritten({ dataDir }: Settings): void {
  const written = givenSettings({ DATA_DIR: dataDir });
  const lost = Object.entries(process.env).flatMap(([name, text]) =>
    NAMES.has(name) && !["PORT", "LOG"].includes(name) && text && text !== written[name] ? [name] : [],
  );
  if (lost.length)
    throw new UsageError(
      `The unit would not have ${lost.join(", ")} of your environment: write it into DATA_DIR/settings.env, or unset it`,
    );
}

function refuseEnvironment({ command, option }: Invocation): void {
  if (option("env") !== undefined)
    throw new UsageError(`${command} is for a server of your own, so it takes no --env`);
}

const line = ({ part, state, says }: Finding) => `${state.padEnd(8)} ${part.padEnd(10)} ${says}\n`;

const both = (unit: string, caddy: string) => `# /etc/systemd/system/soundpost.service
#   npm run -s admin -- service --unit > /etc/systemd/system/soundpost.service
${unit}
# /etc/caddy/Caddyfile
#   npm run -s admin -- service --caddy > /etc/caddy/Caddyfile
${caddy}`;
