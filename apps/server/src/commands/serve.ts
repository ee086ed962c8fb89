import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';

import { tolerateBrokenOutput } from '../process-log.ts';
import { openService, type Service } from '../service.ts';
import type { Reloader } from '../reload.ts';
import type { LoadedSettings } from '../settings/load.ts';
import type { Settings } from '../settings/schema.ts';
import { watchSettings } from '../settings/watch.ts';
import { announcement } from './announcement.ts';
import { listen } from './listen.ts';

/**
 * How long in-flight requests may take after a signal, in milliseconds, before the process ends all
 * the same.
 */
const GRACE_MS = 30_000;

/**
 * `dynamic-query serve`: opens the service, listens, follows the settings file, and stops in order
 * when it is told to.
 */
export async function serve(load: () => Promise<LoadedSettings>): Promise<void> {
  tolerateBrokenOutput();
  const { promise: reloader, resolve: follow } = Promise.withResolvers<Reloader>();
  const hangup = (): void => void reloader.then((started) => started.reload('operator'));
  // From the beginning: by itself the signal ends a process.
  process.on('SIGHUP', hangup);
  try {
    const loaded = await load();
    const service = await openService(loaded, { load });
    for (const warning of service.warnings) process.stderr.write(`${warning}\n`);
    await listenAll(service, loaded.settings);
    follow(service.reloader);
    stopOnSignal(service, {
      unwatch: watchFile(loaded, service.reloader),
      drainMs: loaded.settings.limits.drain_ms,
    });
    announce(service, loaded.settings);
  } catch (error) {
    process.off('SIGHUP', hangup);
    throw error;
  }
}

/** Follows the settings file, where there is one. */
function watchFile({ path, fingerprint }: LoadedSettings, reloader: Reloader): () => void {
  if (path === undefined) return () => undefined;
  return watchSettings({ path, fingerprint, changed: () => reloader.reload('settings') });
}

function announce(
  { app, catalogue, temporaryToken: token }: Service,
  { explorer }: Settings,
): void {
  process.stdout.write(announcement({ origin: originOf(app), catalogue, token, explorer }));
}

/** Metrics are there before the first request, and until the last one is answered. */
async function listenAll(service: Service, { metrics, ...settings }: Settings): Promise<void> {
  const { app, metricsApp } = service;
  try {
    if (metricsApp !== undefined && metrics !== undefined)
      await listen(metricsApp, metrics, 'metrics.port');
    await listen(app, settings, 'port');
  } catch (error) {
    await service.close();
    throw error;
  }
}

interface Stopping {
  readonly unwatch: () => void;
  readonly drainMs: number;
}

/**
 * Readiness falls first, the balancer looks away, then the server closes: no request is lost.
 * Ctrl-C does not wait.
 */
function stopOnSignal(service: Service, { unwatch, drainMs }: Stopping): void {
  const { app, lifecycle } = service;
  closeWithGrace(
    { delay: GRACE_MS + drainMs, logger: app.log, skip: ['SIGHUP'] },
    async ({ signal, err }) => {
      if (err !== undefined) app.log.fatal({ err }, 'an unforeseen fault ends the process');
      lifecycle.drain();
      unwatch();
      if (signal === 'SIGTERM') await sleep(drainMs);
      await service.close();
    },
  );
}

function originOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
