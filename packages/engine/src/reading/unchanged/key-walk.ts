import type { KeysRead } from '../../sources/source.ts';
import type { Key, KeyRange } from '../../sql/clauses/key-ranges.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { KeysStatement } from '../../sql/query-statements.ts';

/** How long a chunk is to take, in milliseconds, beside what every statement takes. */
const CHUNK_MS = 25;

const FIRST_ROWS = 1000;
/** A walk in smaller chunks would take too many statements. */
export const FEWEST_ROWS = 100;

/** The database keeps a chunk in memory, where it has to sort it. */
export const MOST_ROWS = 10_000;

/** Consecutive records of a list. */
export interface KeyChunk {
  /** The keys of those whose places in the list are multiples of the walk's step. */
  readonly keys: readonly Key[];
  /** How many records there are. */
  readonly rows: number;
  /** The key of the last record; undefined where there is none. */
  readonly last: Key | undefined;
  /** The version of the data that was read. */
  readonly version: string | undefined;
}

/** How a list is walked along. */
export interface KeyWalk {
  readonly query: PreparedQuery;
  /** The key of one of so many records is wanted, from the first on. */
  readonly step: number;
  /** How many records the next chunk may have. */
  readonly chunkRows: () => number;
  /** Whether the database may sort; otherwise an index is to bring the records in order. */
  readonly maySort: boolean;
  /** Reads keys in one snapshot. */
  readonly read: (statement: KeysStatement) => Promise<KeysRead>;
}

/**
 * Reads the keys of a list in order, a chunk at a time, each chunk in a snapshot of its own. The
 * next chunk is read only when the consumer asks for it, so the consumer decides about pauses, and
 * whether to stop when the version has changed. A chunk holds consecutive records that follow those
 * of the chunk before. One with fewer records than `chunkRows` reaches the end of its range.
 */
export async function* walkKeys(walk: KeyWalk): AsyncGenerator<KeyChunk, void, void> {
  let place = 0;
  let key: Key = [];
  let ranges = walk.query.keyRanges();
  for (;;) {
    const [range, ...later] = ranges;
    const size = walk.chunkRows();
    const skip = (walk.step - (place % walk.step)) % walk.step;
    const statement = range && keysStatement(walk, range, { key, size, offset: BigInt(skip) });
    if (statement === undefined) return;
    const chunk = chunkOf(await walk.read(statement), { step: walk.step, skip });
    yield chunk;
    place += chunk.rows;
    const isFull = chunk.rows === size && chunk.last !== undefined;
    key = isFull ? chunk.last : key;
    ranges = isFull ? walk.query.keyRanges(key) : later;
  }
}

/** The statement of a chunk; undefined where the database has no keys. */
export function keysStatement(
  { query, step, maySort }: Pick<KeyWalk, 'query' | 'step' | 'maySort'>,
  range: KeyRange,
  bindings: KeysStatement['bindings'],
): KeysStatement | undefined {
  const templates = query.keys({ range, step });
  if (templates === undefined) return undefined;
  const { relations, lock } = query.statements;
  // The rows of such a range share the first values of a key. They may be sorted: they are few, or
  // an index has them in order. If sorting were forbidden, the planner might scan another index
  // over all rows.
  const isOfOneValue = range.nulls.length > 0;
  return { ...templates, relations, lock, bindings, maySort: maySort || isOfOneValue };
}

/**
 * Each row is a key, followed by its place in the chunk. The key of the last record is always among
 * them, also where it is not a multiple of the step.
 */
function chunkOf(
  { rows, version }: KeysRead,
  { step, skip }: { readonly step: number; readonly skip: number },
): KeyChunk {
  const read = rows.map((row) => ({ key: row.slice(0, -1), place: Number(row.at(-1)) }));
  const last = read.at(-1);
  const wanted = read.filter(({ place }) => place % step === skip);
  return {
    keys: wanted.map(({ key }) => key),
    rows: last === undefined ? 0 : last.place + 1,
    last: last?.key,
    version,
  };
}

/** How many rows the next chunk of a walk reads, by how long those before it took. */
export class WalkPace {
  readonly #mostRows: number;
  #rows: number;
  #quickestMs = Infinity;

  /** @param mostRows how many rows a chunk may have */
  constructor(mostRows = MOST_ROWS) {
    this.#mostRows = mostRows;
    this.#rows = Math.min(FIRST_ROWS, mostRows);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Notes how long a chunk took that had as many rows as it might. */
  note(milliseconds: number): void {
    // The way to the database and back is a part of every chunk, and no work.
    this.#quickestMs = Math.min(this.#quickestMs, milliseconds);
    const workMs = milliseconds - this.#quickestMs;
    const factor = Math.min(2, CHUNK_MS / Math.max(1, workMs));
    this.#rows = Math.round(Math.min(this.#mostRows, Math.max(FEWEST_ROWS, this.#rows * factor)));
  }
}
