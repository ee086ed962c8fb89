import { setTimeout as sleep } from 'node:timers/promises';

import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';

import type { ReloadTriggers } from './reload-triggers.ts';

/** How long in-flight requests may take after a signal, in milliseconds. */
export const GRACE_MS = 30_000;

interface Stopped {
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

interface Stopping {
  readonly log: Pick<Logger, 'error' | 'fatal'>;
  readonly triggers: ReloadTriggers;
  readonly drainMs: number;
  /** Beyond the grace period, in milliseconds. */
  readonly lastMs?: number;
}

/** Fails `/readyz` first, to divert new requests, and closes after `drain_ms`; Ctrl-C: at once. */
export function stopOnSignal(
  { drain, close }: Stopped,
  { log, triggers, drainMs, lastMs = 0 }: Stopping,
): ReturnType<typeof closeWithGrace> {
  return closeWithGrace(
    { delay: GRACE_MS + drainMs + lastMs, logger: log, skip: ['SIGHUP'] },
    async ({ signal, err }) => {
      if (err !== undefined) log.fatal({ err }, 'an unforeseen error ends the process');
      drain();
      triggers.stop();
      if (signal === 'SIGTERM') await sleep(drainMs);
      await close();
    },
  );
}
