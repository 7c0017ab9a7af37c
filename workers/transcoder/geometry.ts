/**
 * Position of samples in the HLS renditions, a pure function of the frame count: no playlist is stored.
 * Packet g holds frames [(g − 1)·1024, g·1024). The edit list (`media_time` = 1024) hides priming packet 0.
 */
export const FRAMES_PER_PACKET = 1024;

/** 5.99 s at 44.1 kHz and 5.50 s at 48 kHz: under HLS' customary six. */
export const PACKETS_PER_SEGMENT = 258;

/** A third of a segment, 2 s, so that a player starts early. Three of them make one. */
export const PACKETS_PER_SHORT_SEGMENT = PACKETS_PER_SEGMENT / 3;
export const SHORT_SEGMENTS = 3;

/** First packet of a segment. */
export const segmentStart = (segment: number): number =>
  segment < SHORT_SEGMENTS
    ? segment * PACKETS_PER_SHORT_SEGMENT
    : (segment - SHORT_SEGMENTS + 1) * PACKETS_PER_SEGMENT;

export const packetCount = (frames: number): number => Math.ceil(frames / FRAMES_PER_PACKET) + 1;

/** Frames [from, to) that a segment presents. Consecutive segments meet and sum up to `frames`. */
export function segmentSpan(segment: number, frames: number): { from: number; to: number } {
  const startOf = (n: number) => Math.max(0, (segmentStart(n) - 1) * FRAMES_PER_PACKET);
  return { from: startOf(segment), to: Math.min(frames, startOf(segment + 1)) };
}

/** Frames of the track in the last packet. The rest is the encoder's padding. */
export const framesInLastPacket = (frames: number): number =>
  frames - (packetCount(frames) - 2) * FRAMES_PER_PACKET;
