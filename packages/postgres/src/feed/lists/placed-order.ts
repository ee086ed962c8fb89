import type { RelationPath } from '@proj/engine/database';

import type { AskRow } from '../../connection/connection.ts';
import type { KeyTexts, RowChange } from '../changes/transactions.ts';
import { KeyOrder, type OrderedColumn, type SortedKey, valueReaderOf } from './key-order.ts';
import { BoundarySearch, isPlaceable, type NamedColumn } from './boundary-search.ts';
import type { Boundary } from './key-buckets.ts';
import type { KeyRead, OrderedList, PlacedKey } from './ordered-list.ts';

/** Types whose values the database alone can compare, by its collations. */
const PLACED = /^(text|character varying|character|numeric)(\(\d+(,\d+)?\))?$/;

/** The database's order of a list. Numbers keys of buckets, and for a while other placed keys. */
export class PlacedOrder extends KeyOrder {
  readonly #placed = new Map<string, SortedKey>();
  #generation = 0;

  private constructor(columns: readonly OrderedColumn[]) {
    super([{ databaseType: '', direction: 'asc', nulls: columns[0]?.nulls }], () => String);
  }

  static override of(columns: readonly OrderedColumn[]): PlacedOrder | undefined {
    const isKnown = columns.every(
      ({ databaseType }) => PLACED.test(databaseType) || valueReaderOf(databaseType) !== undefined,
    );
    return isKnown ? new PlacedOrder(columns) : undefined;
  }

  /** Changes whenever keys get other numbers. */
  get generation(): number {
    return this.#generation;
  }

  override read(texts: readonly unknown[]): SortedKey | undefined {
    return this.#placed.get(JSON.stringify(texts));
  }

  knows(rows: readonly RowChange[]): boolean {
    return keysOf(rows).every((texts) => this.read(texts) !== undefined);
  }

  numbered(texts: KeyTexts, number: number): SortedKey {
    if (this.parts.length === 0) return [number];
    return [this.parts.indexOf(texts[0] === null ? 'null' : 'not_null'), number];
  }

  note(texts: KeyTexts, key: SortedKey): void {
    this.#placed.set(JSON.stringify(texts), key);
  }

  clear(): void {
    this.#placed.clear();
    this.#generation += 1;
  }
}

function keysOf(rows: readonly RowChange[]): KeyTexts[] {
  return rows.flatMap(({ came, went }) => [came, went].filter((texts) => texts !== undefined));
}

const MOST_TRIES = 3;

interface LearnParts {
  /** As in `OrderedList`; undefined once it is unknown. */
  readonly unseen: () => readonly RowChange[] | undefined;
  readonly ask: AskRow;
}

/** Numbers keys of a list that only the database can sort; their changes are placed here first. */
export class KeyPlacing {
  readonly #list: OrderedList;
  readonly #order: PlacedOrder;
  readonly #search: BoundarySearch;

  constructor(
    list: OrderedList,
    order: PlacedOrder,
    columns: { readonly path: RelationPath; readonly columns: readonly NamedColumn[] },
  ) {
    this.#list = list;
    this.#order = order;
    this.#search = new BoundarySearch(columns.path, columns.columns);
  }

  knows(rows: readonly RowChange[]): boolean {
    return this.#order.knows(rows);
  }

  /** Places keys of changes, which may be forgotten at any time after. */
  async place(rows: readonly RowChange[], ask: AskRow): Promise<void> {
    const order = this.#order;
    for (let tries = 0; tries < MOST_TRIES && !this.#list.isBroken; tries++) {
      const { generation } = order;
      const unknown = keysOf(rows).filter((texts) => order.read(texts) === undefined);
      if (unknown.length === 0) return;
      const boundaries = this.#list.boundaries();
      const passed = await this.#search.find(unknown, boundaries, ask);
      if (passed === undefined) return this.#list.forget();
      if (order.generation !== generation) continue;
      this.#note(unknown, boundaries, passed);
      return;
    }
  }

  clear(): void {
    this.#order.clear();
  }

  /** Returns whether the list took the keys. */
  async learn(
    read: KeyRead,
    keys: readonly PlacedKey[],
    { unseen, ask }: LearnParts,
  ): Promise<boolean> {
    if (!keys.every(({ texts }) => isPlaceable(texts))) return this.#forget();
    const before = unseen();
    const known = this.#list.boundaries();
    const start = read.split === undefined ? known.length - 1 : known.indexOf(read.split.bucket);
    if (before === undefined || (read.split !== undefined && start < 0)) return false;
    this.#order.clear();
    for (const [number, one] of known.entries()) one.key = this.#order.numbered(one.texts, number);
    const { generation } = this.#order;
    const added = keys.map(({ texts }, index) => {
      const number = start + (index + 1) / (keys.length + 1);
      return { texts, key: this.#order.numbered(texts, number) };
    });
    // Also splits the rows before the first bucket's key.
    const isReplaced = read.split !== undefined && start === 0;
    const boundaries = [
      ...known.slice(0, isReplaced ? start : start + 1),
      ...added,
      ...known.slice(start + 1),
    ];
    const last = added.at(-1);
    const asked = [...keysOf(before), ...keys.slice(-1).map(({ texts }) => texts)];
    const passed = await this.#search.find(asked, boundaries, ask);
    if (passed === undefined) return this.#forget();
    if (this.#order.generation !== generation) return false;
    this.#note(asked, boundaries, passed);
    // A key behind the next bucket's was not read from the bucket.
    const end = last && this.#order.read(last.texts);
    const next = known[start + 1];
    if (end && next && this.#order.compare(end, next.key) >= 0) return this.#forget();
    for (const { texts, key } of added) this.#order.note(texts, key);
    const now = unseen();
    const isKnown = now !== undefined && this.knows(now);
    if (isKnown) this.#list.learn(read, keys, now);
    this.#order.clear();
    return isKnown;
  }

  #forget(): false {
    this.#list.forget();
    return false;
  }

  /** @param passed for each key, how many boundaries are not behind it */
  #note(
    keys: readonly KeyTexts[],
    boundaries: readonly Boundary[],
    passed: readonly number[],
  ): void {
    const numbers = boundaries.map(({ key }) => Number(key.at(-1)));
    for (const [index, texts] of keys.entries()) {
      const count = passed[index] ?? 0;
      const behind = numbers[count] ?? (numbers.at(-1) ?? 0) + 1;
      const before = numbers[count - 1] ?? behind - 1;
      this.#order.note(texts, this.#order.numbered(texts, (before + behind) / 2));
    }
  }
}
