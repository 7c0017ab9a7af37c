/**
 * Where samples lie in the HLS renditions: a pure function of the frame count, so that no playlist is ever stored.
 *
 * A frame is one sample of each channel. AAC packet g holds frames [(g − 1)·1024, g·1024): packet 0 is the encoder's
 * priming, hidden by the edit list (`media_time` = 1024). A segment is 258 packets; the last one is shorter.
 */
export const FRAMES_PER_PACKET = 1024;

/** 258 packets are 5.99 s at 44.1 kHz and 5.50 s at 48 kHz: under HLS' customary six. */
export const PACKETS_PER_SEGMENT = 258;

const FRAMES_PER_SEGMENT = PACKETS_PER_SEGMENT * FRAMES_PER_PACKET;

export const packetCount = (frames: number): number => Math.ceil(frames / FRAMES_PER_PACKET) + 1;

export const segmentCount = (frames: number): number => Math.ceil(packetCount(frames) / PACKETS_PER_SEGMENT);

/** First frame presented by a segment, and the first one after it: consecutive segments meet, and sum up to `frames`. */
export const segmentSpan = (segment: number, frames: number): { from: number; to: number } => ({
  from: Math.max(0, segment * FRAMES_PER_SEGMENT - FRAMES_PER_PACKET),
  to: Math.min(frames, (segment + 1) * FRAMES_PER_SEGMENT - FRAMES_PER_PACKET),
});

/** Frames in the last packet that are the track's own; the rest is the encoder's padding. */
export const framesInLastPacket = (frames: number): number =>
  frames - (packetCount(frames) - 2) * FRAMES_PER_PACKET;
