/**
 * Position of samples in the HLS renditions, a pure function of the frame count: no playlist is stored.
 * Packet g holds frames [(g − 1)·1024, g·1024). The edit list (`media_time` = 1024) hides priming packet 0.
 */
export const FRAMES_PER_PACKET = 1024;

/** 5.99 s at 44.1 kHz and 5.50 s at 48 kHz: under HLS' customary six. */
export const PACKETS_PER_SEGMENT = 258;

const FRAMES_PER_SEGMENT = PACKETS_PER_SEGMENT * FRAMES_PER_PACKET;

export const packetCount = (frames: number): number => Math.ceil(frames / FRAMES_PER_PACKET) + 1;

export const segmentCount = (frames: number): number => Math.ceil(packetCount(frames) / PACKETS_PER_SEGMENT);

/** Frames [from, to) that a segment presents. Consecutive segments meet and sum up to `frames`. */
export const segmentSpan = (segment: number, frames: number): { from: number; to: number } => ({
  from: Math.max(0, segment * FRAMES_PER_SEGMENT - FRAMES_PER_PACKET),
  to: Math.min(frames, (segment + 1) * FRAMES_PER_SEGMENT - FRAMES_PER_PACKET),
});

/** Frames of the track in the last packet. The rest is the encoder's padding. */
export const framesInLastPacket = (frames: number): number =>
  frames - (packetCount(frames) - 2) * FRAMES_PER_PACKET;
