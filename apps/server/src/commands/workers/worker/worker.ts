import closeWithGrace from 'close-with-grace';

import { openService, type Service } from '../../../service.ts';
import type { Reloaded } from '../../../reload.ts';
import type { PreparedReload } from '../../../reload-step.ts';
import type { LoadedSettings } from '../../../settings/file/load.ts';
import { fromSentSettings, type SentSettings } from '../../../settings/sent-settings.ts';
import { openProcessLog } from '../../../log/process-log.ts';
import { announcement } from '../../announcement.ts';
import { GRACE_MS } from '../../stop-on-signal.ts';
import { Channel, type Handlers, type Port } from '../shared/channel.ts';
import { inTime } from '../shared/in-time.ts';
import { Lock } from '../shared/lock.ts';
import type { Started, StartOrder, ToPrimary, ToWorker } from '../shared/protocol.ts';
import { TakenConnections } from './taken-connections.ts';
import { WorkerCounts } from './worker-counts.ts';

/** A terminal sends them to all processes, but only the primary acts on them. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Size of log writes: each read costs the primary process time. */
const LOG_BYTES = 2 ** 15;

export function runWorker(port: Port): ServiceWorker {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  return new ServiceWorker(port);
}

class ServiceWorker {
  readonly #channel: Channel<ToPrimary, ToWorker>;
  readonly #opened = Promise.withResolvers<Service>();
  #service: Service | undefined;
  #connections: TakenConnections | undefined;
  #order: Pick<StartOrder, 'isFirst' | 'mayWait'> = { isFirst: false, mayWait: false };
  #prepared: PreparedReload | undefined;
  /** The last requested settings are prepared last. */
  readonly #preparing = new Lock();

  constructor(port: Port) {
    this.#channel = new Channel<ToPrimary, ToWorker>(port, this.#handlers());
  }

  #handlers(): Handlers<ToWorker> {
    return {
      start: (order) => this.#start(order),
      ping: () => undefined,
      take: (_, connection) => this.#connections?.take(connection) === true,
      prepare: ({ settings, cause }) =>
        this.#preparing.run(() => this.#prepare(this.#loaded(settings), cause)),
      commit: () => this.#commit(),
      discard: () => this.#discard(),
      drain: async () => (await this.#opened.promise).drain(),
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
    this.#opened.resolve(service);
    this.#endOnError(service);
    await service.app.ready();
    this.#connections = new TakenConnections(service.app.server);
    const origin = await this.#channel.ask('listen', undefined);
    if (service.opening !== undefined) this.#channel.tell('waiting', undefined);
    const warnings = [...service.warnings, ...((await service.opening) ?? [])];
    const { explorer } = loaded.settings;
    const announced = { origin, catalogue: service.catalogue(), temporaryToken, explorer };
    return { warnings, announcement: announcement(announced) };
  }

  /** Turns off what one worker does for all. */
  #loaded(sent: SentSettings): LoadedSettings {
    const loaded = fromSentSettings(sent);
    const { isFirst, mayWait } = this.#order;
    // With several databases, one that is away does not stop a worker.
    const later = loaded.settings.databases === undefined ? 'exit' : 'wait';
    const startup = mayWait ? loaded.settings.startup : later;
    const verify_keys = isFirst ? loaded.settings.verify_keys : 'off';
    return { ...loaded, settings: { ...loaded.settings, startup, verify_keys } };
  }

  async #prepare(
    loaded: LoadedSettings,
    cause: Parameters<Service['prepareReload']>[1],
  ): Promise<Reloaded | undefined> {
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
    await this.#close();
    process.exit(0);
  }

  async #close(): Promise<void> {
    this.#service?.beginClosing();
    await this.#connections?.close();
    await this.#service?.close();
  }

  async #takeBuildTurn(): Promise<(() => void) | undefined> {
    const granted = await this.#channel.ask('takeTurn', undefined);
    return granted ? () => this.#channel.tell('endTurn', undefined) : undefined;
  }

  async #seenElsewhere(caller: string): Promise<readonly string[] | undefined> {
    return inTime(this.#channel.ask('seenElsewhere', caller)).catch(() => undefined);
  }

  #endOnError({ app }: Service): void {
    const skip = [...SIGNALS, 'SIGQUIT', 'SIGUSR2', 'SIGABRT', 'beforeExit'] as const;
    closeWithGrace({ delay: GRACE_MS, logger: app.log, skip: [...skip] }, async ({ err }) => {
      app.log.fatal({ err }, 'an unforeseen error ends the process');
      await this.#close();
    });
  }
}

function never(): never {
  throw new Error('The primary process reads the settings.');
}
