import { readRunningStack } from "../../local/stack/record.ts";
import {
  givenSettings,
  idleLines,
  readSettings,
  type Settings,
  WrongSettings,
} from "../../local/stack/settings.ts";
import { addressChecks } from "./address-checks.ts";
import { backupChecks } from "./backup-checks.ts";
import { countryChecks } from "./country-checks.ts";
import { about, type Finding } from "./finding.ts";
import { roomCheck, secretsChecks, timeServiceCheck } from "./machine-checks.ts";
import { databaseChecks, ffmpegCheck, mailCheck, storageChecks } from "./part-checks.ts";
import { versionChecks } from "./version-checks.ts";

/** Looks at everything that a server of one's own needs. Changes nothing. */
export async function check(): Promise<Finding[]> {
  const settings = readable();
  if (Array.isArray(settings)) return settings;
  const findings: Finding[] = [];
  for await (const finding of allChecks(settings)) findings.push(finding);
  return findings;
}

function readable(): Settings | Finding[] {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    return error.lines.map(about("settings").wrong);
  }
}

async function* allChecks(settings: Settings): AsyncGenerator<Finding> {
  const { dataDir } = settings;
  const { ok, warning, wrong } = about("service");
  const running = await readRunningStack(dataDir);
  const differs = running && running.urls.api !== settings.server.urls.api;
  if (!running) yield (settings.server.isPublic ? wrong : warning)(`not running on ${dataDir}`);
  else if (differs) yield warning(`runs with other addresses (${running.urls.api}): start it again`);
  else yield ok(`runs on ${dataDir}, pid ${running.pid}`);
  yield* idleLines().map(about("settings").warning);
  yield* addressChecks(settings, running !== undefined);
  yield* countryChecks(settings);
  yield* databaseChecks(settings, running);
  yield* backupChecks(settings, running);
  yield* storageChecks(settings);
  const { SMTP_URL, FFMPEG_PATH } = givenSettings();
  yield await mailCheck(SMTP_URL, settings);
  yield await ffmpegCheck(FFMPEG_PATH);
  yield* versionChecks(settings, running, FFMPEG_PATH);
  yield roomCheck(dataDir);
  yield* secretsChecks(dataDir);
  yield timeServiceCheck();
}
