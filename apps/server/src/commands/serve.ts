import { tolerateBrokenOutput } from '../process/broken-output.ts';
import { openService, type Service } from '../service.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { workersOf } from '../settings/workers.ts';
import { announcement, waitingNote } from './announcement.ts';
import { listen, listenForMetrics, originOf } from './listen.ts';
import { listenThrough } from './listeners.ts';
import { ReloadTriggers } from './reload-triggers.ts';
import { stopOnSignal } from './stop-on-signal.ts';

export interface ServeOptions {
  readonly open?: boolean;
}

export async function serve(
  load: () => Promise<LoadedSettings>,
  { open = false }: ServeOptions = {},
): Promise<void> {
  tolerateBrokenOutput();
  // From the beginning: by itself the signal ends a process.
  const triggers = new ReloadTriggers();
  try {
    const loaded = await load();
    print([...loaded.notes, ...loaded.ignored]);
    const workers = workersOf(loaded.settings);
    if (workers > 1) {
      const { serveWorkers } = await import('./workers/primary/serve-workers.ts');
      return await serveWorkers(loaded, { workers, load, triggers });
    }
    const service = await openService(loaded, { load });
    print(service.warnings);
    await listenAll(service, loaded);
    triggers.connect(loaded, service);
    const { explorer, limits } = loaded.settings;
    const { app, catalogue, temporaryToken, signInCode } = service;
    const drainMs = limits.drain_ms;
    const stopping = stopOnSignal(service, { log: app.log, triggers, drainMs });
    const origin = originOf(app.server);
    if (!(await hasOpened(service, origin, stopping))) return;
    const signInLink = signInCode && `${origin}/#code=${signInCode}`;
    const announced = { origin, catalogue: catalogue(), temporaryToken, explorer, signInLink };
    process.stdout.write(announcement(announced));
    if (open) await showPage(signInLink ?? origin + (explorer ? '/' : '/docs'));
  } catch (error) {
    triggers.close();
    throw error;
  }
}

async function showPage(url: string): Promise<void> {
  const { openBrowser } = await import('./open-browser.ts');
  openBrowser(url, () => print(['--open: no browser can be opened from here. Open the link.']));
}

function print(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`);
}

/** Waits for a database that was away; false if the service was stopped first. */
async function hasOpened(
  { opening, close }: Service,
  origin: string,
  stopping: ReturnType<typeof stopOnSignal>,
): Promise<boolean> {
  if (opening === undefined) return true;
  process.stdout.write(waitingNote(origin));
  try {
    const warnings = await opening;
    print(warnings ?? []);
    return warnings !== undefined;
  } catch (error) {
    // The signal handlers would end the process with 0, so remove them before throwing.
    stopping.uninstall();
    await close();
    throw error;
  }
}

/** Serves metrics before the first request, and until the last one is answered. */
async function listenAll(service: Service, { settings }: LoadedSettings): Promise<void> {
  const { app, metricsApp } = service;
  try {
    if (metricsApp !== undefined && settings.metrics !== undefined)
      await listenForMetrics(metricsApp, settings.metrics);
    await listen({ listen: (address) => listenThrough(app, address) }, settings, 'port');
  } catch (error) {
    await service.close();
    throw error;
  }
}
