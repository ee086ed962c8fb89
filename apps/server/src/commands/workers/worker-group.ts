import { SettingsError } from '@proj/engine';
import type { Logger } from 'pino';

import { backoff } from '../../backoff.ts';
import { operatorMessage } from '../../operator-message.ts';
import type { ReloadCause } from '../../reload.ts';
import type { LoadedSettings } from '../../settings/load.ts';
import { withReloaded } from '../../settings/restart.ts';
import { type SentSettings, toSentSettings } from '../../settings/sent-settings.ts';
import { Lock } from './lock.ts';
import { MergedMetrics, type MetricObjects } from './merge-metrics.ts';
import type { PreparedNote, Started } from './protocol.ts';
import { SharedState } from './shared-state.ts';
import { type ForkOptions, forkWorker, type WorkerHandle } from './worker-handle.ts';

/** A worker that ends after so many milliseconds is started again at once. */
const LONG_LIFE_MS = 60_000;

/** What workers are started with. */
export interface WorkerGroupParts {
  readonly loaded: LoadedSettings;
  readonly workers: number;
  readonly temporaryToken: string | undefined;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Takes the lines of the workers' logs. */
  readonly logStream: ForkOptions['log'];
  /** Called when the first worker listens and its database is away. */
  readonly onWaiting: (origin: string) => void;
}

/** The workers of a service: starts them, and another one where one has ended. */
export class WorkerGroup {
  readonly #parts: WorkerGroupParts;
  readonly #workers = new Map<number, WorkerHandle>();
  readonly #metrics = new MergedMetrics();
  readonly #shared = new SharedState((block) => {
    for (const { channel } of this.#running()) channel.tell('block', block);
  });
  /** A worker starts with the settings in force, or after those that are about to be. */
  readonly #lock = new Lock();
  /** How often in a row a worker has ended soon after its start. */
  readonly #failures = new Map<number, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #settings: SentSettings;
  #isUp = false;
  #isWaiting = false;
  #isStopping = false;
  #restarts = 0;

  constructor(parts: WorkerGroupParts) {
    this.#parts = parts;
    this.#settings = toSentSettings(parts.loaded);
  }

  /** How many workers run. */
  get size(): number {
    return this.#running().length;
  }

  /** Whether it was asked to stop. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** How often a worker was started because one had ended. */
  get restarts(): number {
    return this.#restarts;
  }

  /**
   * Starts all workers: the others once the first has checked the settings against the database.
   *
   * @throws {SettingsError} when the settings are refused, or a worker ends while it starts
   */
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
        // Settings that came while the database was away start the workers anew.
        if (settings === this.#settings || this.#isStopping) throw explained(error);
      }
    }
  }

  /**
   * Puts settings in force in all workers, or in none.
   *
   * @returns what they noted; undefined where nothing has changed
   * @throws what one of them refuses the settings with
   */
  async reload(loaded: LoadedSettings, cause: ReloadCause): Promise<PreparedNote | undefined> {
    if (this.#isUp) return this.#lock.run(() => this.#reload(loaded, cause));
    // Nothing is answered yet.
    this.#settings = toSentSettings(loaded);
    for (const worker of this.#running()) worker.kill();
    return undefined;
  }

  /** Reports from now on that the service is not ready. It still answers. */
  drain(): void {
    for (const { channel } of this.#running()) channel.tell('drain', undefined);
  }

  /** Answers what is in flight, and ends all workers. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const stopped = this.#running().map(async ({ channel, ended }) => {
      channel.tell('stop', undefined);
      await ended;
    });
    await Promise.all(stopped);
  }

  /** The metrics of all workers together, for Prometheus. */
  async metrics(own: MetricObjects): Promise<string> {
    const noted = this.#running().map(async ({ number, channel }) =>
      this.#metrics.note(number, await channel.ask('metrics', undefined)),
    );
    // One that ends meanwhile counts with what it said last.
    await Promise.allSettled(noted);
    return this.#metrics.text(own);
  }

  #running(): WorkerHandle[] {
    return [...this.#workers.values()].filter((worker) => worker.isRunning());
  }

  async #begin(number: number): Promise<Started> {
    const { workers, temporaryToken, logStream } = this.#parts;
    const handlers = {
      ...this.#shared.handlersOf(number),
      waiting: (origin: string) => this.#noteWaiting(origin),
      seenElsewhere: (caller: string) => this.#seenByOthers(number, caller),
    };
    const worker = forkWorker({ number, handlers, log: logStream });
    this.#workers.set(number, worker);
    void worker.ended.then((how) => this.#ended(worker, how));
    const settings = this.#settings;
    const isFirst = number === 1;
    const mayWait = !this.#isUp;
    const order = { settings, temporaryToken, workers, isFirst, mayWait };
    return worker.channel.ask('start', order);
  }

  /** All of them wait for the same database. */
  #noteWaiting(origin: string): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#parts.onWaiting(origin);
  }

  /** What a worker had shown that has ended is known once the one in its place answers. */
  async #seenByOthers(number: number, caller: string): Promise<readonly string[] | undefined> {
    const others = this.#running().filter((worker) => worker.number !== number);
    if (others.length < this.#parts.workers - 1) return undefined;
    const seen = await Promise.all(others.map(({ channel }) => channel.ask('seen', caller)));
    const known = seen.filter((position) => position !== undefined);
    return known.length === seen.length ? known : undefined;
  }

  async #end(): Promise<void> {
    const workers = this.#running();
    for (const worker of workers) worker.kill();
    await Promise.all(workers.map(({ ended }) => ended));
  }

  async #ended(worker: WorkerHandle, how: string): Promise<void> {
    const { number, pid, startedAt } = worker;
    this.#shared.workerEnded(number);
    await this.#metrics.workerEnded(number);
    if (!this.#isUp || this.#isStopping) return;
    const isOld = performance.now() - startedAt > LONG_LIFE_MS;
    const failures = isOld ? 0 : (this.#failures.get(number) ?? 0);
    this.#failures.set(number, failures + 1);
    const pauseMs = failures === 0 ? 0 : Math.round(backoff(failures));
    const noted = { worker: number, pid, how, pauseMs };
    this.#parts.log.error(noted, 'a worker has ended; another one is started');
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#lock.run(() => this.#replace(number));
    }, pauseMs);
    this.#timers.add(timer);
  }

  async #replace(number: number): Promise<void> {
    if (this.#isStopping) return;
    this.#restarts += 1;
    try {
      await this.#begin(number);
      this.#parts.log.info({ worker: number }, 'a worker was started again');
    } catch (error) {
      const reason = operatorMessage(error) ?? String(error);
      this.#parts.log.error({ worker: number, reason }, 'a worker could not be started');
      this.#workers.get(number)?.kill();
    }
  }

  async #reload(loaded: LoadedSettings, cause: ReloadCause): Promise<PreparedNote | undefined> {
    const settings = toSentSettings(loaded);
    const workers = this.#running();
    const asked = workers.map(({ channel }) => channel.ask('prepare', { settings, cause }));
    const prepared = await Promise.allSettled(asked);
    const refusal = prepared.find(
      (result, index) => result.status === 'rejected' && workers[index]?.isRunning() === true,
    );
    if (refusal?.status === 'rejected') {
      for (const { channel } of workers) channel.tell('discard', undefined);
      throw refusal.reason;
    }
    const inForce = withReloaded(this.#settings.settings, loaded.settings);
    this.#settings = { ...settings, settings: inForce };
    await Promise.all(
      // One that cannot apply them is replaced by one that starts with them.
      workers.map(({ channel, kill }) => channel.ask('commit', undefined).catch(kill)),
    );
    const [noted] = prepared.flatMap((result) =>
      result.status === 'fulfilled' && result.value !== undefined ? [result.value] : [],
    );
    return noted;
  }
}

/** What an operator reads when a worker does not start. */
function explained(error: unknown): unknown {
  return operatorMessage(error) === undefined && error instanceof Error
    ? new SettingsError(`workers: ${error.message}`, { cause: error })
    : error;
}
