import type { FeedStatus } from '@proj/engine';

/** A feed that has not been tried yet. */
export const STARTING: FeedStatus = {
  state: 'starting',
  reason: undefined,
  message: undefined,
  lagBytes: 0,
  lagSeconds: 0,
  heldBackBytes: 0,
  memoryBytes: 0,
  relations: 0,
  snapshotSeconds: 0,
  snapshotRows: 0,
  recounts: 0,
  transactions: 0,
  waits: 0,
  lateWaits: 0,
  waitSeconds: 0,
  nudges: 0,
  drops: new Map(),
};
