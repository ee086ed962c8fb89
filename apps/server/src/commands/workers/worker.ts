import closeWithGrace from 'close-with-grace';

import { openService, type Service } from '../../service.ts';
import type { PreparedReload } from '../../reload-step.ts';
import type { LoadedSettings } from '../../settings/load.ts';
import { fromSentSettings, type SentSettings } from '../../settings/sent-settings.ts';
import { openProcessLog } from '../../log/process-log.ts';
import { announcement } from '../announcement.ts';
import { GRACE_MS } from '../grace.ts';
import { listen, originOf } from '../listen.ts';
import { Channel, type Handlers, type Port } from './channel.ts';
import { inTime } from './in-time.ts';
import type { PreparedNote, Started, StartOrder, ToPrimary, ToWorker } from './protocol.ts';
import { WorkerCounts } from './worker-counts.ts';

/** Signals that the primary process alone acts on: a terminal sends them to all processes. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** The primary process reads what a worker logs in so many bytes: each read costs it time. */
const LOG_BYTES = 2 ** 15;

/** Makes this process a worker, which does what comes through the port. */
export function runWorker(port: Port): ServiceWorker {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  return new ServiceWorker(port);
}

/** One of the processes of a service. It does what the primary process asks for. */
class ServiceWorker {
  readonly #channel: Channel<ToPrimary, ToWorker>;
  #service: Service | undefined;
  #order: Pick<StartOrder, 'isFirst' | 'mayWait'> = { isFirst: false, mayWait: false };
  #prepared: PreparedReload | undefined;

  constructor(port: Port) {
    this.#channel = new Channel<ToPrimary, ToWorker>(port, this.#handlers());
  }

  #handlers(): Handlers<ToWorker> {
    return {
      start: (order) => this.#start(order),
      prepare: ({ settings, cause }) => this.#prepare(this.#loaded(settings), cause),
      commit: () => this.#commit(),
      discard: () => this.#discard(),
      drain: () => this.#service?.drain(),
      stop: () => this.#stop(),
      metrics: async () => (await this.#service?.metricsRegistry?.getMetricsAsJSON()) ?? [],
      block: ({ owner, resetMs }) => this.#service?.block(owner, resetMs),
      seen: (caller) => this.#service?.seenBy(caller),
    };
  }

  async #start(order: StartOrder): Promise<Started> {
    const { settings, temporaryToken, workers } = order;
    this.#order = order;
    const loaded = this.#loaded(settings);
    const counts = new WorkerCounts(this.#channel, workers);
    const role = {
      temporaryToken,
      counts,
      takeBuildTurn: () => this.#takeBuildTurn(),
      seenElsewhere: { of: (caller: string) => this.#seenElsewhere(caller) },
    };
    const logStream = openProcessLog(LOG_BYTES);
    const service = await openService(loaded, { load: never, logStream, role });
    this.#service = service;
    this.#endOnError(service);
    await listen(service.app, loaded.settings, 'port');
    const origin = originOf(service.app);
    if (service.opening !== undefined) this.#channel.tell('waiting', origin);
    const warnings = [...service.warnings, ...((await service.opening) ?? [])];
    const { explorer } = loaded.settings;
    const announced = { origin, catalogue: service.catalogue(), temporaryToken, explorer };
    return { warnings, announcement: announcement(announced) };
  }

  /** What one worker does for all of them is off in the others. */
  #loaded(sent: SentSettings): LoadedSettings {
    const loaded = fromSentSettings(sent);
    const { isFirst, mayWait } = this.#order;
    const startup = mayWait ? loaded.settings.startup : 'exit';
    const verify_keys = isFirst ? loaded.settings.verify_keys : 'off';
    return { ...loaded, settings: { ...loaded.settings, startup, verify_keys } };
  }

  async #prepare(
    loaded: LoadedSettings,
    cause: Parameters<Service['prepareReload']>[1],
  ): Promise<PreparedNote | undefined> {
    this.#discard();
    this.#prepared = await this.#service?.prepareReload(loaded, cause);
    if (this.#prepared === undefined) return undefined;
    const { lines, rereads, models } = this.#prepared;
    return { lines, rereads, models };
  }

  #commit(): void {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    prepared?.apply();
  }

  #discard(): void {
    this.#prepared?.discard();
    this.#prepared = undefined;
  }

  async #stop(): Promise<void> {
    this.#service?.drain();
    await this.#service?.close();
    process.exit(0);
  }

  async #takeBuildTurn(): Promise<(() => void) | undefined> {
    const granted = await this.#channel.ask('takeTurn', undefined);
    return granted ? () => this.#channel.tell('endTurn', undefined) : undefined;
  }

  async #seenElsewhere(caller: string): Promise<readonly string[] | undefined> {
    return inTime(this.#channel.ask('seenElsewhere', caller)).catch(() => undefined);
  }

  #endOnError({ app, drain, close }: Service): void {
    const skip = [...SIGNALS, 'SIGQUIT', 'SIGUSR2', 'SIGABRT', 'beforeExit'] as const;
    closeWithGrace({ delay: GRACE_MS, logger: app.log, skip: [...skip] }, async ({ err }) => {
      app.log.fatal({ err }, 'an unforeseen error ends the process');
      drain();
      await close();
    });
  }
}

function never(): never {
  throw new Error('The primary process reads the settings.');
}
