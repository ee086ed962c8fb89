import pino from 'pino';

import { temporaryTokenFor } from '../../../access/temporary-token.ts';
import { type BytesLog, openProcessLog, type ProcessLog } from '../../../log/process-log.ts';
import type { App } from '../../../app.ts';
import { Reloader } from '../../../reload.ts';
import type { LoadedSettings } from '../../../settings/file/load.ts';
import type { Settings } from '../../../settings/schema.ts';
import { waitingNote } from '../../announcement.ts';
import { listenForMetrics } from '../../listen.ts';
import type { ReloadTriggers } from '../../reload-triggers.ts';
import { stopOnSignal } from '../../stop-on-signal.ts';
import { WorkerGroup } from './worker-group.ts';

/** Milliseconds after the grace period at which remaining workers are killed. */
const LAST_MS = 5000;

interface PrimaryParts {
  readonly workers: number;
  readonly load: () => Promise<LoadedSettings>;
  readonly triggers: ReloadTriggers;
}

/** Starts workers on one port, hands them connections, counts for them, and answers `/metrics`. */
export async function serveWorkers(
  loaded: LoadedSettings,
  { workers, load, triggers }: PrimaryParts,
): Promise<void> {
  const { settings } = loaded;
  const logStream = openProcessLog();
  const log = pino({ level: settings.log_level }, logStream);
  const temporaryToken = temporaryTokenFor(settings);
  const held = new HeldLines(logStream);
  const announce = (text: string): void => {
    process.stdout.write(text);
    held.release();
  };
  const group = new WorkerGroup({
    loaded,
    workers,
    temporaryToken,
    log,
    logStream: held,
    onWaiting: (origin) => announce(waitingNote(origin)),
  });
  const reloader = new Reloader({
    log,
    attempt: async (cause) => {
      const now = await load();
      const reloaded = await group.reload(now, cause);
      log.level = now.settings.log_level;
      return reloaded;
    },
  });
  const metrics = await openMetrics(settings, { group, logStream });
  const close = async (): Promise<void> => {
    reloader.close();
    await metrics?.close();
    await logStream.close();
  };
  const stopped = {
    drain: () => group.drain(),
    close: async () => {
      await group.stop();
      await close();
    },
  };
  const drainMs = settings.limits.drain_ms;
  const stopping = stopOnSignal(stopped, { log, triggers, drainMs, lastMs: LAST_MS });
  triggers.connect(loaded, reloader);
  try {
    const { warnings, announcement } = await group.start();
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
    announce(announcement);
  } catch (error) {
    if (group.isStopping) return;
    // They would end the process with 0.
    stopping.uninstall();
    held.release();
    await close();
    throw error;
  }
}

async function openMetrics(
  { metrics }: Settings,
  parts: { readonly group: WorkerGroup; readonly logStream: ProcessLog },
): Promise<App | undefined> {
  if (metrics === undefined) return undefined;
  const { openPrimaryMetrics } = await import('./primary-metrics.ts');
  const app = openPrimaryMetrics(parts);
  await listenForMetrics(app, metrics);
  return app;
}

/** Holds lines back until what an operator should read first is printed. */
class HeldLines implements BytesLog {
  readonly #log: BytesLog;
  #held: Uint8Array[] | undefined = [];

  constructor(log: BytesLog) {
    this.#log = log;
  }

  writeBytes(lines: Uint8Array): void {
    if (this.#held === undefined) this.#log.writeBytes(lines);
    else this.#held.push(lines);
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const lines of held) this.#log.writeBytes(lines);
  }
}
