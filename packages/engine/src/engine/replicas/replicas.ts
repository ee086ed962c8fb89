import { setTimeout as sleep } from 'node:timers/promises';

import { SettingsError } from '../../errors.ts';
import type { LogPositions, LogState } from '../../sources/log-position.ts';
import type { ReplicaReport, ReplicaStatus, ReplicaWatch } from '../../sources/replica-watch.ts';
import type { ReplicaSettings, SeenElsewhere } from '../../sources/source-settings.ts';
import type { ReadCall, Source } from '../../sources/source.ts';
import { LogClock, LogSampler } from './log-clock.ts';
import { Replica, type ReplicaMoment } from './replica.ts';
import { SeenPositions } from './seen-positions.ts';

/** In milliseconds: less than a read takes that is sent to replicas. */
const WAIT_MS = 20;

const POLL_MS = 2;

export interface ReplicasParts extends ReplicaSettings {
  readonly log: NonNullable<Source['log']>;
  readonly open: (url: string) => Promise<Source>;
}

export class Replicas implements ReplicaWatch {
  readonly positions: LogPositions;
  readonly primary: LogSampler;
  readonly seen: SeenPositions;
  readonly seenElsewhere: SeenElsewhere | undefined;
  readonly reads = {
    cheap: 0,
    unknown: 0,
    noReplica: 0,
    behind: 0,
    ahead: 0,
    waits: 0,
    waitSeconds: 0,
  };
  readonly #all: readonly Replica[];
  readonly #listeners: ((status: ReplicaStatus) => void)[] = [];

  private constructor(parts: ReplicasParts, sources: readonly (Source | undefined)[]) {
    const { log, urls, open, maxLagMs, seenElsewhere } = parts;
    this.positions = log.positions;
    this.primary = new LogSampler(log);
    this.seen = new SeenPositions(this.positions);
    this.seenElsewhere = seenElsewhere;
    const shared = {
      primary: this.primary,
      clock: new LogClock(this.positions),
      positions: this.positions,
      maxLagMs,
      onChange: (status: ReplicaStatus) => {
        for (const listener of this.#listeners) listener(status);
      },
    };
    this.#all = urls.map((url, index) => {
      const name = URL.parse(url)?.host || `replica ${index + 1}`;
      return new Replica({ ...shared, name, open: () => open(url) }, sources[index]);
    });
    void this.#noteStart();
  }

  /** @throws {SettingsError} when a URL is no good, or its server refuses it */
  static async open(parts: ReplicasParts): Promise<Replicas> {
    const opened = await Promise.allSettled(parts.urls.map((url) => parts.open(url)));
    const sources = opened.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
    const errors = opened.map((one): unknown => (one.status === 'rejected' ? one.reason : null));
    const refused = errors.find((error) => error instanceof SettingsError);
    if (refused === undefined) return new Replicas(parts, sources);
    await Promise.all(sources.flatMap((source) => source?.close() ?? []));
    const place = `replicas.urls.${errors.indexOf(refused)}:`;
    throw new SettingsError(refused.message.replace(/^database:/, place));
  }

  get replicas(): readonly ReplicaStatus[] {
    return this.#all.map(({ status }) => status);
  }

  onChange(listener: (status: ReplicaStatus) => void): void {
    this.#listeners.push(listener);
  }

  seenBy(caller: string): string | undefined {
    return this.seen.of(caller);
  }

  async choose(wanted: readonly string[], call: ReadCall): Promise<ReplicaMoment | undefined> {
    const usable = this.#usable();
    if (usable.length === 0) {
      this.reads.noReplica += 1;
      return undefined;
    }
    const ready = usable.find((replica) => this.#hasAll(replica, wanted));
    const { moment } = ready ?? (await this.#waitFor(wanted, call)) ?? {};
    if (moment === undefined) this.reads.behind += 1;
    return moment;
  }

  /** Waits so that callers never go back in time. Undefined where that takes too long. */
  async whenShown(
    { source }: ReplicaMoment,
    replica: LogState,
    { signal }: ReadCall,
  ): Promise<LogState | undefined> {
    const started = performance.now();
    do {
      const { state } = await this.primary.sample();
      const isShown = source.log
        ?.isShownByPrimary?.({ replica, primary: state })
        .catch(() => false);
      if ((await isShown) !== false) return state;
      await sleep(POLL_MS);
    } while (performance.now() - started < WAIT_MS && !signal.aborted);
    this.reads.ahead += 1;
    return undefined;
  }

  async report(
    differing: (replica: Source) => Promise<ReplicaReport['models']>,
  ): Promise<ReplicaReport[]> {
    return Promise.all(
      this.#all.map(async (replica) => {
        await replica.looked;
        const { source, status } = replica;
        const models = source && (await differing(source).catch(() => undefined));
        return { ...status, models: models ?? [] };
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((replica) => replica.close()));
  }

  /** Counts the primary's first state as seen by all: an earlier process may have shown it. */
  async #noteStart(): Promise<void> {
    const sampled = await this.primary.sample().catch(() => undefined);
    if (sampled?.state.seen !== undefined) this.seen.raise(sampled.state.seen);
  }

  #usable(): Replica[] {
    const usable = this.#all.filter(({ problem }) => problem === undefined);
    return usable.toSorted((one, other) => one.running - other.running);
  }

  #hasAll({ moment }: Replica, wanted: readonly string[]): boolean {
    if (moment === undefined) return false;
    return wanted.every((position) => this.positions.covers(moment.state.applied, position));
  }

  async #waitFor(wanted: readonly string[], { signal }: ReadCall): Promise<Replica | undefined> {
    const started = performance.now();
    this.reads.waits += 1;
    const needed = await this.#upToPrimary(wanted);
    let found: Replica | undefined;
    while (found === undefined && performance.now() - started < WAIT_MS && !signal.aborted) {
      const usable = this.#usable();
      await Promise.allSettled(usable.map((replica) => replica.sample()));
      found = usable.find((replica) => this.#hasAll(replica, needed));
      if (found === undefined) await sleep(POLL_MS);
    }
    this.reads.waitSeconds += (performance.now() - started) / 1000;
    return found;
  }

  /** No caller can have seen beyond the end of the primary's log. */
  async #upToPrimary(wanted: readonly string[]): Promise<readonly string[]> {
    const sampled = await this.primary.sample().catch(() => undefined);
    const end = sampled?.state.seen;
    return end === undefined ? wanted : wanted.map((one) => this.positions.upTo(one, end));
  }
}
