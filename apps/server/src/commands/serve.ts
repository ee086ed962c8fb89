import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Engine, EVERYTHING, openEngine, SettingsError } from '@proj/engine';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';

import { knownToken, makeToken } from '../access/tokens.ts';
import { buildApp } from '../app.ts';
import type { Lifecycle } from '../http/routes/health.ts';
import type { Settings } from '../settings/schema.ts';
import { announcement, reportLines } from './announcement.ts';

/** How long in-flight requests may take after a signal, in milliseconds, before the process ends all the same. */
const GRACE_MS = 30_000;

/** `dynamic-query serve`: opens the database, listens, and stops in order when it is told to. */
export async function serve(settings: Settings): Promise<void> {
  const made = settings.token === undefined ? tokenForTrying(settings.host) : undefined;
  const token = settings.token ?? made;
  const engine = await openEngine(engineSettings(settings));
  const lifecycle: Lifecycle = { draining: false };
  try {
    checkCatalogue(engine);
    const tokens = token === undefined ? [] : [knownToken(token, { name: 'DYNAMIC_QUERY_TOKEN', grant: EVERYTHING })];
    const app = await buildApp({ engine, tokens, lifecycle, logLevel: settings.log_level });
    await listen(app, settings);
    stopOnSignal({ app, engine, lifecycle, drainMs: settings.limits.drain_ms });
    process.stdout.write(announcement({ origin: originOf(app), catalogue: engine.catalogue, token: made }));
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function engineSettings({ database, expose, models, limits }: Settings): Parameters<typeof openEngine>[0] {
  return { database, expose, models, maxPageSize: limits.max_page_size, queryTimeoutMs: limits.query_timeout_ms };
}

/** On a loopback address anybody may try the service out; further away somebody must have chosen a token. */
function tokenForTrying(host: string): string {
  if (/^(localhost|127(\.\d+){3}|::1)$/.test(host)) return makeToken();
  throw new SettingsError(
    `host: ${host} can be reached from other machines, and no token is set. Set DYNAMIC_QUERY_TOKEN, or listen on 127.0.0.1.`,
  );
}

function checkCatalogue({ catalogue, reports }: Engine): void {
  const wanted = reports.filter((report) => report.listed);
  if (wanted.length > 0) throw new SettingsError(reportLines(wanted).join('\n'));
  for (const line of reportLines(reports)) process.stderr.write(`left out: ${line}\n`);
  if (catalogue.size === 0)
    throw new SettingsError(
      'models: none is exposed. List models in the settings file, or pass --expose all to serve every table that has a key.',
    );
}

async function listen(app: FastifyInstance, { host, port }: Settings): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError(`port: cannot listen on ${host}:${port} (${reason}). Choose another with --port or PORT.`, {
      cause: error,
    });
  }
}

interface Stoppable {
  readonly app: FastifyInstance;
  readonly engine: Engine;
  readonly lifecycle: Lifecycle;
  readonly drainMs: number;
}

/** Readiness falls first, the balancer looks away, then the server closes: no request is lost. Ctrl-C does not wait. */
function stopOnSignal({ app, engine, lifecycle, drainMs }: Stoppable): void {
  closeWithGrace({ delay: GRACE_MS + drainMs, logger: app.log }, async ({ signal, err }) => {
    if (err !== undefined) app.log.fatal({ err }, 'an unforeseen fault ends the process');
    lifecycle.draining = true;
    if (signal === 'SIGTERM') await sleep(drainMs);
    await app.close();
    await engine.close();
  });
}

function originOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
