import { waitOrAbort } from '../deadline.ts';
import { InvalidPositionError, QueryFailedError, type QueryFailure } from '../errors.ts';
import type { AnswerState, ReplicaCall } from '../engine-types.ts';
import type { Question } from '../reading/reader.ts';
import type { Reading } from '../reading/reading.ts';
import type { ReadCall, RowsRead } from '../sources/source.ts';
import type { Serving } from './served-catalogue.ts';
import { PrimaryPositions } from './replicas/primary-positions.ts';
import type { ChosenReplica, Replicas } from './replicas/replicas.ts';

/** What was read, and the state that it shows. */
export interface StatedAnswer<Answer> {
  readonly page: Answer;
  readonly state: AnswerState;
}

/** The parts of an answer from which the position of its state in the database's log is found. */
type Positioned = Pick<RowsRead, 'version' | 'position'>;

/** A question that a chain answers. */
export interface ChainQuestion<Answer> {
  readonly question: Question;
  /** Whether the answer may cost the database much. */
  readonly mayScan: (reading: Reading) => boolean;
  readonly read: (reading: Reading, call: ReadCall) => Promise<Answer>;
}

/** A read that a replica may answer. */
export interface ReplicatedRead<Answer> extends ReplicaCall {
  readonly asked: ChainQuestion<Answer>;
  readonly call: ReadCall;
  /** Whom it is for: no caller is shown an older state than it has seen. */
  readonly caller: string;
}

/**
 * Failures of a replica after which the primary is not asked: it would fail in the same way, or
 * take as long.
 */
const FINAL: ReadonlySet<QueryFailure> = new Set([
  'cancelled',
  'query_timeout',
  'reply_too_large',
  'shutting_down',
]);

/**
 * Reads that replicas may answer: those that may cost the primary much go to one of them, if it has
 * come as far as the caller has seen, and all others to the primary.
 */
export class ReplicatedReads {
  readonly #replicas: Replicas;
  readonly #primary: PrimaryPositions;

  constructor(replicas: Replicas) {
    this.#replicas = replicas;
    this.#primary = new PrimaryPositions(replicas.primary, replicas.positions);
  }

  /**
   * @throws {InvalidPositionError} when `atLeast` is no position of the database
   * @throws {QueryFailedError} when neither a replica nor the primary gives an answer
   */
  async read<Answer extends Positioned>(
    serving: Serving,
    read: ReplicatedRead<Answer>,
  ): Promise<StatedAnswer<Answer>> {
    const atLeast = this.#positionsOf(read);
    const { counts } = this.#replicas;
    if (!read.asked.mayScan(serving.reading)) {
      counts.cheap += 1;
      return this.#readPrimary(serving, read);
    }
    const seen = await this.#seenBy(read);
    if (seen === undefined) {
      counts.unknown += 1;
      return this.#readPrimary(serving, read);
    }
    const chosen = await this.#replicas.choose([...seen, ...atLeast], read.call);
    const page = chosen && (await this.#readReplica(serving, chosen, read));
    return page ?? this.#readPrimary(serving, read);
  }

  /** Positions that have all that a caller was shown; undefined where that is not known. */
  async #seenBy({
    caller,
    call,
  }: Pick<ReplicatedRead<unknown>, 'caller' | 'call'>): Promise<readonly string[] | undefined> {
    const { seen, seenElsewhere, positions } = this.#replicas;
    const asked = seenElsewhere?.of(caller) ?? Promise.resolve([]);
    const elsewhere = await waitOrAbort(asked, call.signal);
    const here = seen.of(caller);
    if (here === undefined || elsewhere === undefined) return undefined;
    return [here, ...elsewhere.flatMap((position) => positions.parse(position) ?? [])];
  }

  /** Notes what a caller is about to be shown, here and wherever else it may ask. */
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

  /**
   * The answer of a replica. Undefined where it failed, was restarted or promoted during the read,
   * or showed a commit that the primary does not show yet; the primary then answers.
   */
  async #readReplica<Answer extends Positioned>(
    { replicaReadings }: Serving,
    chosen: ChosenReplica,
    { asked, call, caller }: ReplicatedRead<Answer>,
  ): Promise<StatedAnswer<Answer> | undefined> {
    const { replica, source, moment } = chosen;
    const ageMs = Math.max(0, performance.now() - moment.reachedAt);
    replica.running += 1;
    try {
      const page = await asked.read(replicaReadings.of(source), call);
      const after = await replica.sample();
      if (after.server !== moment.state.server || after.log !== moment.state.log)
        throw new Error('The replica is another server, or was promoted, since the read began.');
      const primary = await this.#replicas.whenShown(chosen, after, call);
      if (primary === undefined) return undefined;
      const position = after.seen ?? primary.seen ?? primary.applied;
      await this.#note(caller, position);
      replica.reads += 1;
      return { page, state: { ageMs, position } };
    } catch (error) {
      if (call.signal.aborted || isFinal(error)) throw error;
      replica.failedReads += 1;
      return undefined;
    } finally {
      replica.running -= 1;
    }
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof QueryFailedError && FINAL.has(error.code);
}
