import pino, { type DestinationStream } from 'pino';

import { LineWriter } from './line-writer.ts';

export interface BytesLog {
  readonly writeBytes: (lines: Uint8Array) => void;
}

export interface ProcessLog extends DestinationStream {
  readonly dropped: number;
  /** Why standard output takes no lines; undefined while it does. */
  readonly failure: Error | undefined;
  /** Resolves when all lines are written, or cannot be. */
  readonly flush: () => Promise<void>;
  /** Flushes, and no longer writes when the process ends. */
  readonly close: () => Promise<void>;
}

/** In milliseconds, so that many lines are written at once. */
const LONGEST_WAIT_MS = 100;

/** Lines are written when they take so many bytes together, or have waited long enough. */
const ENOUGH_BYTES = 65_536;

/** While standard output takes none; further lines are dropped. */
const MAX_WAITING_BYTES = 2 ** 20;

/** How long an ending process waits for its last lines, in milliseconds. */
const FLUSH_LIMIT_MS = 1000;

/**
 * Batches log lines: single writes took a fifth of the CPU time of a small page. On a full disk, or
 * a pipe that is not read, drops lines, and the service continues.
 *
 * @param enoughBytes lines are written when they take so many bytes together, or after 100 ms
 */
export function openProcessLog(enoughBytes = ENOUGH_BYTES): ProcessLog & BytesLog {
  const writer = new LineWriter({
    fd: () => 1,
    enoughBytes,
    waitMs: LONGEST_WAIT_MS,
    maxBytes: MAX_WAITING_BYTES,
    // A failure of standard output can be logged only after it has ended.
    onFailure: () => undefined,
    onRecovery: (dropped) =>
      log.warn({ dropped }, 'standard output takes log lines again; some were dropped'),
  });
  const log = pino({}, writer);
  const flush = (): Promise<void> => writer.flush(FLUSH_LIMIT_MS);
  const writeNow = (): void => writer.writeNow();
  process.once('exit', writeNow);
  return Object.freeze({
    write: (line: string) => writer.write(line),
    writeBytes: (lines: Uint8Array) => writer.write(lines),
    flush,
    close: async () => {
      await flush();
      process.off('exit', writeNow);
    },
    get dropped() {
      return writer.dropped;
    },
    get failure() {
      return writer.failure;
    },
  });
}
