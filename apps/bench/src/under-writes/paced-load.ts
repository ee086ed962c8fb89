import type { Load } from '../load/load.ts';

/** Requests at a fixed rate. */
export interface PacedLoad extends Pick<Load, 'url' | 'headers' | 'seconds'> {
  /** What is sent, in turns. */
  readonly bodies: readonly string[];
  readonly perSecond: number;
}
