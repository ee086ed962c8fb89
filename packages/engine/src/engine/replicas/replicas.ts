import { setTimeout as sleep } from 'node:timers/promises';

import type { ExposeSettings } from '../../catalogue/model-settings.ts';
import type { Relation } from '../../catalogue/relation.ts';
import { SettingsError } from '../../errors.ts';
import type { LogPositions, LogState } from '../../sources/log-position.ts';
import type {
  ReplicaReads,
  ReplicaReport,
  ReplicaStatus,
  ReplicaWatch,
} from '../../sources/replica-watch.ts';
import type { ReplicaSettings, SeenElsewhere } from '../../sources/source-settings.ts';
import type { ReadCall, Source } from '../../sources/source.ts';
import { LogClock } from './log-clock.ts';
import { LogSampler } from './log-sampler.ts';
import { Replica, type ReplicaMoment } from './replica.ts';
import { SeenPositions } from './seen-positions.ts';

/**
 * How long a read waits for a replica to apply the positions that it needs, in milliseconds: less
 * than a read takes that is sent to replicas.
 */
const WAIT_MS = 20;

/** Between two looks at a replica that is waited for, in milliseconds. */
const POLL_MS = 2;

/** What replicas are opened with. */
export interface ReplicasParts extends ReplicaSettings {
  readonly primary: Source;
  /** Opens a replica. */
  readonly open: (url: string) => Promise<Source>;
}

/** A replica that has come far enough for a read, and how far it had come. */
export interface ChosenReplica {
  readonly replica: Replica;
  readonly source: Source;
  readonly moment: ReplicaMoment;
}

/** The replicas of a database. */
export class Replicas implements ReplicaWatch {
  readonly positions: LogPositions;
  /** Where the primary is in its log. */
  readonly primary: LogSampler;
  /** What callers were shown here. */
  readonly seen: SeenPositions;
  /** What they were shown by others; undefined where there are none. */
  readonly seenElsewhere: SeenElsewhere | undefined;
  readonly counts = {
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
    const { primary, urls, open, maxLagMs, seenElsewhere } = parts;
    const { log } = primary;
    if (log === undefined)
      throw new SettingsError('replicas: this database has none. Leave `replicas` out.');
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
      const name = nameOf(url, index);
      return new Replica({ ...shared, name, open: () => open(url) }, sources[index]);
    });
    void this.#noteStart();
  }

  /**
   * Opens replicas. One that does not answer is tried again later.
   *
   * @throws {SettingsError} when the URL of one is no good, or the server refuses it
   */
  static async open(parts: ReplicasParts): Promise<Replicas> {
    const opened = await Promise.allSettled(
      parts.urls.map((url, index) => openAt(index, () => parts.open(url))),
    );
    const sources = opened.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
    const errors = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const refused = errors.find((error) => error instanceof SettingsError);
    if (refused === undefined) return new Replicas(parts, sources);
    await Promise.all(sources.flatMap((source) => source?.close() ?? []));
    throw refused;
  }

  get replicas(): readonly ReplicaStatus[] {
    return this.#all.map(({ status }) => status);
  }

  get reads(): ReplicaReads {
    return this.counts;
  }

  onChange(listener: (status: ReplicaStatus) => void): void {
    this.#listeners.push(listener);
  }

  seenBy(caller: string): string | undefined {
    return this.seen.of(caller);
  }

  /**
   * A replica that has everything up to some positions. For one that is not there yet the read
   * waits a moment, and then the primary answers.
   */
  async choose(wanted: readonly string[], call: ReadCall): Promise<ChosenReplica | undefined> {
    const usable = this.#usable();
    if (usable.length === 0) {
      this.counts.noReplica += 1;
      return undefined;
    }
    const ready = usable.find((replica) => this.#hasAll(replica, wanted));
    const replica = ready ?? (await this.#waitFor(wanted, call));
    const chosen = replica && chosenReplica(replica);
    if (chosen === undefined) this.counts.behind += 1;
    return chosen;
  }

  /**
   * Waits until the primary shows all that the replica showed, and returns the primary's state;
   * undefined where that takes too long. Without this wait a caller could see the newer state of
   * the replica and then an older one of the primary.
   */
  async whenShown(
    { source }: ChosenReplica,
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
    this.counts.ahead += 1;
    return undefined;
  }

  /**
   * What is found of each replica, once it was looked at.
   *
   * @param sessions the roles that callers read as
   * @param differing the models that a database with some relations lacks or shows otherwise
   */
  async report(
    sessions: ExposeSettings['sessions'],
    differing: (relations: readonly Relation[]) => ReplicaReport['models'],
  ): Promise<ReplicaReport[]> {
    return Promise.all(
      this.#all.map(async (replica) => {
        await replica.looked;
        const relations = await replica.source?.introspect(sessions).catch(() => undefined);
        return { ...replica.status, models: relations === undefined ? [] : differing(relations) };
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((replica) => replica.close()));
  }

  /**
   * Counts everything that the primary shows at the start as seen by every caller: an earlier
   * process of the service may have shown it to them.
   */
  async #noteStart(): Promise<void> {
    const sampled = await this.primary.sample().catch(() => undefined);
    if (sampled?.state.seen !== undefined) this.seen.raise(sampled.state.seen);
  }

  /** Those that reads may go to, the least busy first. */
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
    this.counts.waits += 1;
    const needed = await this.#upToPrimary(wanted);
    let found: Replica | undefined;
    while (found === undefined && performance.now() - started < WAIT_MS && !signal.aborted) {
      const usable = this.#usable();
      await Promise.allSettled(usable.map((replica) => replica.sample()));
      found = usable.find((replica) => this.#hasAll(replica, needed));
      if (found === undefined) await sleep(POLL_MS);
    }
    this.counts.waitSeconds += (performance.now() - started) / 1000;
    return found;
  }

  /** Cuts positions to the end of the primary's log: a caller can have seen nothing beyond it. */
  async #upToPrimary(wanted: readonly string[]): Promise<readonly string[]> {
    const sampled = await this.primary.sample().catch(() => undefined);
    const end = sampled?.state.seen;
    return end === undefined ? wanted : wanted.map((one) => this.positions.upTo(one, end));
  }
}

function chosenReplica(replica: Replica): ChosenReplica | undefined {
  const { source, moment } = replica;
  return source && moment && { replica, source, moment };
}

/** Errors of opening name the setting of a database, where here it is one of a list. */
async function openAt(index: number, open: () => Promise<Source>): Promise<Source> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new SettingsError(error.message.replace(/^database:/, `replicas.urls.${index}:`));
  }
}

/** Host and port, or the place in the list where the URL has none. */
function nameOf(url: string, index: number): string {
  return (URL.canParse(url) && new URL(url).host) || `replica ${index + 1}`;
}
