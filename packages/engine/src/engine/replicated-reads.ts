import { waitOrAbort } from '../deadline.ts';
import { InvalidPositionError, QueryFailedError, type QueryFailure } from '../errors.ts';
import type { AnswerState, ReplicaCall } from '../engine-types.ts';
import type { Question } from '../reading/reader.ts';
import type { Reading } from '../reading/reading.ts';
import type { ReadCall, RowsRead } from '../sources/source.ts';
import type { Serving } from './served-catalogue.ts';
import { PrimaryPositions } from './replicas/primary-positions.ts';
import type { ReplicaMoment } from './replicas/replica.ts';
import type { Replicas } from './replicas/replicas.ts';

export interface StatedAnswer<Answer> {
  readonly page: Answer;
  readonly state: AnswerState;
}

type Positioned = Pick<RowsRead, 'version' | 'position'>;

export interface ChainQuestion<Answer> {
  readonly question: Question;
  readonly mayScan: (reading: Reading) => boolean;
  readonly kept: (reading: Reading, caller?: string) => Promise<Answer | undefined>;
  readonly read: (reading: Reading, call: ReadCall) => Promise<Answer>;
}

export interface ReplicatedRead<Answer> extends ReplicaCall {
  readonly asked: ChainQuestion<Answer>;
  readonly call: ReadCall;
  /** Is never shown an older state than before. */
  readonly caller: string;
}

/** After these the primary would fail too, or take as long. */
const FINAL: ReadonlySet<QueryFailure> = new Set([
  'cancelled',
  'query_timeout',
  'reply_too_large',
  'shutting_down',
]);

/** Sends costly reads to a replica that has all the caller has seen, others to the primary. */
export class ReplicatedReads {
  readonly #replicas: Replicas;
  readonly #primary: PrimaryPositions;

  constructor(replicas: Replicas) {
    this.#replicas = replicas;
    this.#primary = new PrimaryPositions(replicas.primary, replicas.positions);
  }

  /** @throws {InvalidPositionError} when `atLeast` is no position of the database */
  async read<Answer extends Positioned>(
    serving: Serving,
    read: ReplicatedRead<Answer>,
  ): Promise<StatedAnswer<Answer>> {
    const atLeast = this.#positionsOf(read);
    const { reads } = this.#replicas;
    if (!read.asked.mayScan(serving.reading)) {
      reads.cheap += 1;
      return this.#readPrimary(serving, read);
    }
    const seen = await this.#seenBy(read.caller, read.call);
    if (seen === undefined) {
      reads.unknown += 1;
      return this.#readPrimary(serving, read);
    }
    const chosen = await this.#replicas.choose([...seen, ...atLeast], read.call);
    const page = chosen && (await this.#readReplica(serving, chosen, read));
    return page ?? this.#readPrimary(serving, read);
  }

  async #seenBy(caller: string, { signal }: ReadCall): Promise<readonly string[] | undefined> {
    const { seen, seenElsewhere, positions } = this.#replicas;
    const asked = seenElsewhere?.of(caller) ?? Promise.resolve([]);
    const elsewhere = await waitOrAbort(asked, signal);
    const here = seen.of(caller);
    if (here === undefined || elsewhere === undefined) return undefined;
    return [here, ...elsewhere.flatMap((position) => positions.parse(position) ?? [])];
  }

  async #note(caller: string, position: string): Promise<void> {
    const { seen, seenElsewhere } = this.#replicas;
    const all = seen.note(caller, position);
    await seenElsewhere?.note?.(caller, all);
  }

  #positionsOf({ atLeast }: ReplicaCall): readonly string[] {
    if (atLeast === undefined) return [];
    const positions = this.#replicas.positions.parse(atLeast);
    if (positions === undefined)
      throw new InvalidPositionError('It names no position in the log of the database.');
    return positions;
  }

  async #readPrimary<Answer extends Positioned>(
    { reading }: Serving,
    { asked, call, caller, ...read }: ReplicatedRead<Answer>,
  ): Promise<StatedAnswer<Answer>> {
    const page = await asked.read(reading, call);
    const wanted = this.#positionsOf(read);
    const position = await this.#primary.of({ page, question: asked.question, call, wanted });
    await this.#note(caller, position);
    return { page, state: { ageMs: 0, position } };
  }

  /** Undefined where the replica failed, restarted, was promoted or is ahead. */
  async #readReplica<Answer extends Positioned>(
    { reading }: Serving,
    chosen: ReplicaMoment,
    { asked, call, caller }: ReplicatedRead<Answer>,
  ): Promise<StatedAnswer<Answer> | undefined> {
    const { replica, source, state, reachedAt } = chosen;
    const ageMs = Math.max(0, performance.now() - reachedAt);
    replica.running += 1;
    try {
      const signal = AbortSignal.any([call.signal, chosen.signal]);
      const page = await asked.read(reading.on(source), { ...call, signal });
      const after = await replica.sample();
      if (after.server !== state.server || after.log !== state.log)
        throw new Error('The replica is another server, or was promoted, since the read began.');
      const primary = await this.#replicas.whenShown(chosen, after, call);
      if (primary === undefined) return undefined;
      const position = after.seen ?? primary.seen ?? primary.applied;
      await this.#note(caller, position);
      replica.reads += 1;
      return { page, state: { ageMs, position } };
    } catch (error) {
      const isFinal = error instanceof QueryFailedError && FINAL.has(error.code);
      if (call.signal.aborted || isFinal) throw error;
      replica.failedReads += 1;
      return undefined;
    } finally {
      replica.running -= 1;
    }
  }
}
