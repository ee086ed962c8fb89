import { setTimeout as sleep } from 'node:timers/promises';

import { SettingsError } from '@proj/engine';
import type { Logger } from 'pino';

import { backoff } from '../../../backoff.ts';
import { operatorMessage } from '../../../process/operator-message.ts';
import type { ReloadCause, Reloaded } from '../../../reload.ts';
import type { LoadedSettings } from '../../../settings/file/load.ts';
import { withReloaded } from '../../../settings/restart.ts';
import { type SentSettings, toSentSettings } from '../../../settings/sent-settings.ts';
import { listen } from '../../listen.ts';
import { type CheckedChange, checkInWorkers } from './checked-change.ts';
import { ConnectionQueue } from './connection-queue.ts';
import { Lock } from '../shared/lock.ts';
import { MergedMetrics, type MetricObjects } from '../shared/merge-metrics.ts';
import type { Started } from '../shared/protocol.ts';
import { BEAT_MS } from '../shared/pulse.ts';
import { SharedState } from './shared-state.ts';
import { Silences } from '../shared/silences.ts';
import { type ForkOptions, forkWorker, type WorkerHandle } from '../worker-handle.ts';

/** A worker that ends after so many milliseconds is restarted at once. */
const LONG_LIFE_MS = 60_000;

export interface WorkerGroupParts {
  readonly loaded: LoadedSettings;
  readonly workers: number;
  readonly temporaryToken: string | undefined;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly logStream: ForkOptions['log'];
  /** Called when the service listens and its database is away. */
  readonly onWaiting: (origin: string) => void;
}

export class WorkerGroup {
  readonly silences: Silences;
  isStopping = false;
  restarts = 0;
  readonly #parts: WorkerGroupParts;
  readonly #workers = new Map<number, WorkerHandle>();
  readonly #connections = new ConnectionQueue();
  readonly #metrics = new MergedMetrics();
  readonly #shared = new SharedState((block) => {
    for (const { channel } of this.#running()) channel.tell('block', block);
  });
  /** Held during starts and applies, so that workers start with settings of before or after. */
  readonly #lock = new Lock();
  /** How often in a row a worker has ended soon after its start. */
  readonly #shortLives = new Map<number, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #settings: SentSettings;
  #isUp = false;
  #isWaiting = false;
  #isDraining = false;

  constructor(parts: WorkerGroupParts) {
    this.#parts = parts;
    this.silences = new Silences(parts.log, () => this.#connections.handOut());
    this.#settings = toSentSettings(parts.loaded);
    setInterval(() => {
      for (const worker of this.#running()) worker.beat();
    }, BEAT_MS).unref();
  }

  get size(): number {
    return this.#running().length;
  }

  /** @throws {SettingsError} when the settings are refused, or a worker ends while it starts */
  async start(): Promise<Started> {
    for (;;) {
      const settings = this.#settings;
      try {
        const first = await this.#begin(1);
        const others = Array.from({ length: this.#parts.workers - 1 }, (_, index) => index + 2);
        await Promise.all(others.map((number) => this.#begin(number)));
        this.#isUp = true;
        return first;
      } catch (error) {
        await this.#end();
        // Restart with settings that were loaded while the database was away.
        if (settings === this.#settings || this.isStopping) throw explained(error);
      }
    }
  }

  /**
   * Applies settings in all workers that answer, or in none. Waits where none answers.
   *
   * @returns what they noted; undefined where nothing has changed
   * @throws what one of them refuses the settings with
   */
  async reload(loaded: LoadedSettings, cause: ReloadCause): Promise<Reloaded | undefined> {
    if (this.#isUp) {
      const change = await this.#change(loaded, cause);
      return change?.note;
    }
    // Nothing is answered yet.
    this.#settings = toSentSettings(loaded);
    for (const worker of this.#running()) worker.kill();
    return undefined;
  }

  /** Reports not ready from now on, but still answers. */
  drain(): void {
    this.#isDraining = true;
    for (const { channel } of this.#running()) channel.tell('drain', undefined);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#connections.close();
    const stopped = this.#running().map(async ({ channel, ended }) => {
      channel.tell('stop', undefined);
      await ended;
    });
    await Promise.all(stopped);
    this.#connections.drop();
  }

  /** Of all workers together, for Prometheus. */
  async metrics(own: MetricObjects): Promise<string> {
    const noted = this.#running().map(async ({ number, ask }) =>
      this.#metrics.note(number, await ask('metrics', undefined)),
    );
    // Workers that end meanwhile or do not answer count with the metrics they sent last.
    await Promise.allSettled(noted);
    return this.#metrics.text(own);
  }

  #running(): WorkerHandle[] {
    return [...this.#workers.values()].filter((worker) => worker.isRunning());
  }

  async #begin(number: number): Promise<Started> {
    const { workers, temporaryToken, logStream } = this.#parts;
    const handlers: ForkOptions['handlers'] = {
      ...this.#shared.handlersOf(number),
      listen: async () => {
        const origin = await listen(this.#connections, this.#settings.settings, 'port');
        this.#connections.add(worker);
        return origin;
      },
      waiting: async () => this.#noteWaiting(),
      seenElsewhere: (caller: string) => this.#seenByOthers(number, caller),
    };
    const { silences } = this;
    const worker = forkWorker({ number, handlers, log: logStream, silences });
    this.#workers.set(number, worker);
    if (this.#isDraining) worker.channel.tell('drain', undefined);
    void worker.ended.then((how) => this.#ended(worker, how));
    const settings = this.#settings;
    const isFirst = number === 1;
    const mayWait = !this.#isUp;
    const order = { settings, temporaryToken, workers, isFirst, mayWait };
    return worker.channel.ask('start', order);
  }

  /** Prints one line when the first worker reports that its database is away. */
  async #noteWaiting(): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#parts.onWaiting(await this.#connections.listen(this.#settings.settings));
  }

  /** Undefined while another worker does not answer, because an ended one may have shown more. */
  async #seenByOthers(number: number, caller: string): Promise<readonly string[] | undefined> {
    const others = this.#running().filter((worker) => worker.number !== number);
    if (others.length < this.#parts.workers - 1) return undefined;
    const seen = await Promise.all(others.map(({ ask }) => ask('seen', caller)));
    const known = seen.filter((position) => position !== undefined);
    return known.length === seen.length ? known : undefined;
  }

  async #end(): Promise<void> {
    const workers = this.#running();
    for (const worker of workers) worker.kill();
    await Promise.all([this.#connections.close(), ...workers.map(({ ended }) => ended)]);
    this.#connections.drop();
  }

  async #ended(worker: WorkerHandle, how: string): Promise<void> {
    const { number, pid } = worker;
    this.#connections.remove(worker);
    this.#shared.workerEnded(number);
    await this.#metrics.workerEnded(number);
    if (!this.#isUp || this.isStopping) return;
    const pauseMs = this.#pauseAfter(worker);
    const noted = { worker: number, pid, how, pauseMs };
    this.#parts.log.error(noted, 'a worker has ended; another one is started');
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#lock.run(() => this.#replace(number));
    }, pauseMs);
    this.#timers.add(timer);
  }

  /** In milliseconds, longer each time that a worker ends soon. */
  #pauseAfter({ number, startedAt }: WorkerHandle): number {
    const isOld = performance.now() - startedAt > LONG_LIFE_MS;
    const lives = isOld ? 0 : (this.#shortLives.get(number) ?? 0);
    this.#shortLives.set(number, lives + 1);
    return lives === 0 ? 0 : Math.round(backoff(lives));
  }

  async #replace(number: number): Promise<void> {
    if (this.isStopping) return;
    this.restarts += 1;
    try {
      await this.#begin(number);
      this.#parts.log.info({ worker: number }, 'a worker was started again');
    } catch (error) {
      const reason = operatorMessage(error) ?? String(error);
      this.#parts.log.error({ worker: number, reason }, 'a worker could not be started');
      this.#workers.get(number)?.kill();
    }
  }

  async #change(loaded: LoadedSettings, cause: ReloadCause): Promise<CheckedChange | undefined> {
    for (;;) {
      const change = await this.#lock.run(() => this.#tryChange(loaded, cause));
      if (change !== undefined || this.isStopping) return change;
      await sleep(BEAT_MS);
    }
  }

  async #tryChange(loaded: LoadedSettings, cause: ReloadCause): Promise<CheckedChange | undefined> {
    const settings = toSentSettings(loaded);
    const change = await checkInWorkers(this.#running(), { settings, cause });
    if (change === undefined) return undefined;
    const inForce = withReloaded(this.#settings.settings, loaded.settings);
    this.#settings = { ...settings, settings: inForce };
    await change.apply();
    return change;
  }
}

function explained(error: unknown): unknown {
  return operatorMessage(error) === undefined && error instanceof Error
    ? new SettingsError(`workers: ${error.message}`, { cause: error })
    : error;
}
