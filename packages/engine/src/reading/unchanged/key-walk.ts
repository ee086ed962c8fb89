import type { KeysRead } from '../../sources/source.ts';
import type { Key, KeyRange } from '../../sql/clauses/seek.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { KeysStatement } from '../../sql/query-statements.ts';

/** Target in milliseconds, beside what every statement takes. */
const CHUNK_MS = 25;

const FIRST_ROWS = 1000;
/** Fewer would take too many statements. */
export const FEWEST_ROWS = 100;

/** A sort keeps the chunk in memory. */
export const MOST_ROWS = 10_000;

export interface KeyWalk {
  readonly query: PreparedQuery;
  /** Every `step`th key is wanted, from the first. */
  readonly step: number;
  readonly chunkRows: () => number;
  readonly maySort: boolean;
  readonly read: (statement: KeysStatement) => Promise<KeysRead>;
}

/** Each chunk is its own snapshot, read when asked for; one below `chunkRows` ends its range. */
export async function* walkKeys(walk: KeyWalk) {
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
    const { rows, last } = chunk;
    place += rows;
    const isFull = rows === size && last !== undefined;
    key = isFull ? last : key;
    ranges = isFull ? walk.query.keyRanges(key) : later;
  }
}

export function keysStatement(
  { query, step, maySort }: Pick<KeyWalk, 'query' | 'step' | 'maySort'>,
  range: KeyRange,
  bindings: KeysStatement['bindings'],
): KeysStatement | undefined {
  const templates = query.keys({ range, step });
  if (templates === undefined) return undefined;
  const { relations, lock } = query.statements;
  // Few rows, or in index order. Were sorting forbidden, the planner might scan another index.
  const isOfOneValue = range.nulls.length > 0;
  return { ...templates, relations, lock, bindings, maySort: maySort || isOfOneValue };
}

/** Each row is a key and its place. The last record's key is always there. */
function chunkOf(
  { rows, version }: KeysRead,
  { step, skip }: { readonly step: number; readonly skip: number },
) {
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

export class WalkPace {
  readonly #mostRows: number;
  #rows: number;
  #quickestMs = Infinity;

  constructor(mostRows = MOST_ROWS) {
    this.#mostRows = mostRows;
    this.#rows = Math.min(FIRST_ROWS, mostRows);
  }

  get rows(): number {
    return this.#rows;
  }

  note(milliseconds: number): void {
    // The way to the database and back is no work.
    this.#quickestMs = Math.min(this.#quickestMs, milliseconds);
    const workMs = milliseconds - this.#quickestMs;
    const factor = Math.min(2, CHUNK_MS / Math.max(1, workMs));
    this.#rows = Math.round(Math.min(this.#mostRows, Math.max(FEWEST_ROWS, this.#rows * factor)));
  }
}
