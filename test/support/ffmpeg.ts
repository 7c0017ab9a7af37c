import { findFfmpeg } from "../../workers/transcoder/ffmpeg.ts";

/** The machine's ffmpeg, looked for once. Each look starts it. */
export const ffmpeg = await findFfmpeg();
