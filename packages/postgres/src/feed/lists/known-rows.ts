import type { KeyTexts } from '../changes/row-change.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';
import type { FoundTwice } from './base-reads.ts';
import type { BaseSnapshot } from './base.ts';
import type { ListedRelation } from './listed-order.ts';
import type { FoundRows, TouchedRows } from './touched-rows.ts';

/** Types whose values are equal only if their texts are. */
const EXACT =
  /^(smallint|integer|bigint|boolean|uuid|bytea|date|text|character varying(\(\d+\))?)$/;

/** What a key finds in the base snapshot and in a read's; nothing where that is the same. */
interface FoundByKey {
  readonly before: readonly KeyTexts[];
  readonly now: readonly KeyTexts[];
}

interface LastRead {
  readonly base: BaseSnapshot;
  readonly snapshot: TransactionSnapshot;
  readonly rows: ReadonlyMap<string, FoundByKey>;
}

/** With the keys of all rows that may differ between the read's snapshot and the base. */
export interface ReadRows {
  readonly base: BaseSnapshot;
  readonly snapshot: TransactionSnapshot;
  readonly keys: ReadonlySet<string>;
}

interface RowsToAsk {
  readonly keys: ReadonlySet<string>;
  complete(found: FoundTwice): FoundTwice;
}

/** How a list's rows that may differ are looked up. */
export interface DifferingRows {
  readonly touched: TouchedRows;
  readonly known: KnownRows;
}

/** What the last read found of changed rows. With the same base, the next asks for newer ones. */
export class KnownRows {
  #last: LastRead | undefined;

  ask(relation: ListedRelation, read: ReadRows): RowsToAsk {
    // Other reads may end before this one does.
    const last = this.#lastOf(relation, read);
    const changed = last && relation.log.differingKeys(last.snapshot, read.snapshot);
    const known = changed && last?.rows;
    const keys = new Set(
      [...read.keys].filter((key) => changed?.has(key) !== false || known?.has(key) !== true),
    );
    return { keys, complete: (found) => this.#complete(read, { keys, known, found }) };
  }

  #lastOf(relation: ListedRelation, { base }: ReadRows): LastRead | undefined {
    return this.#last?.base === base && isExact(relation) ? this.#last : undefined;
  }

  #complete(
    { base, snapshot, keys }: ReadRows,
    asked: {
      readonly keys: ReadonlySet<string>;
      readonly known: LastRead['rows'] | undefined;
      readonly found: FoundTwice;
    },
  ): FoundTwice {
    const before = byKey(asked.keys, asked.found.before);
    const now = byKey(asked.keys, asked.found.now);
    const rows = new Map<string, FoundByKey>();
    for (const key of keys) {
      const known = asked.keys.has(key) ? undefined : asked.known?.get(key);
      rows.set(key, known ?? movedOf({ before: before(key), now: now(key) }));
    }
    this.#last = { base, snapshot, rows };
    const all = [...rows.values()];
    return {
      before: rowsOf(all.flatMap((one) => one.before)),
      now: rowsOf(all.flatMap((one) => one.now)),
    };
  }
}

const NOT_MOVED: FoundByKey = { before: [], now: [] };

function movedOf(found: FoundByKey): FoundByKey {
  return JSON.stringify(found.before) === JSON.stringify(found.now) ? NOT_MOVED : found;
}

/** Whether each row has one key, so that what several keys find can be added. */
function isExact({ key, columns }: Pick<ListedRelation, 'key' | 'columns'>): boolean {
  return key.every(({ name }) =>
    columns.some((column) => column.name === name && EXACT.test(column.type)),
  );
}

function byKey(
  asked: ReadonlySet<string>,
  { keys, foundBy = [] }: FoundRows,
): (key: string) => readonly KeyTexts[] {
  const names = [...asked];
  const found = new Map<string, KeyTexts[]>();
  for (const [index, texts] of keys.entries()) {
    const name = names[foundBy[index] ?? -1] ?? '';
    found.set(name, [...(found.get(name) ?? []), texts]);
  }
  return (key) => found.get(key) ?? [];
}

function rowsOf(keys: readonly KeyTexts[]): FoundRows {
  return { count: keys.length, keys };
}
