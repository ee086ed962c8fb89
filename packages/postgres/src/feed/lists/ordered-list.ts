import type { PageRange } from '@proj/engine/database';
import type { RowPlace, WantedKeys } from '@proj/engine/following';

import {
  deltaOf,
  type KeyTexts,
  type RelationChange,
  type RowChange,
} from '../changes/transactions.ts';
import {
  type Boundary,
  type Bucket,
  type Corrections,
  KeyBuckets,
  type PlacedBuckets,
} from './key-buckets.ts';
import type { KeyOrder, OrderPart, SortedKey } from './key-order.ts';
import type { ChangeListener } from '../changes/relation-log.ts';

export interface KeyRead extends Omit<WantedKeys, 'step'> {
  /** The bucket to split, and the next one; undefined where the list is extended. */
  readonly split: { readonly bucket: Bucket; readonly next: Bucket | undefined } | undefined;
}

export interface PlacedKey {
  readonly texts: KeyTexts;
  readonly place: number;
}

export interface ListLimits {
  /** A bucket has so many rows when it is made, */
  readonly step: number;
  /** and is split when it has more than these. */
  readonly splitRows: number;
  /** So many rows are read at a time. */
  readonly chunkRows: number;
  /** A list of more buckets is not kept. */
  readonly buckets: number;
}

/** What follows the read keys: a key, or the start of a part. */
type ListEnd = Boundary | { readonly key: SortedKey; readonly texts: undefined };

/** Kept only while somebody reads who began before it. */
interface Move extends Pick<RelationChange, 'rows'> {
  next?: Move;
}

interface KeyRange {
  readonly from: SortedKey | undefined;
  readonly to: SortedKey | undefined;
}

/**
 * How many rows come before some keys of a list, after all appended changes. A snapshot's counts
 * lack the changes that it doesn't see. Keys are read in chunks, each in its own snapshot; large
 * buckets are split.
 *
 * Parameters `unseen`: appended row changes that the snapshot does not see.
 */
export class OrderedList implements ChangeListener {
  readonly #order: KeyOrder;
  readonly #limits: ListLimits;
  readonly #buckets: KeyBuckets;
  readonly #large = new Set<Bucket>();
  #end: ListEnd | undefined;
  #part: OrderPart | undefined;
  #lastMove: Move = { rows: [] };
  #isComplete = false;
  #isBroken = false;

  constructor(order: KeyOrder, limits: ListLimits) {
    this.#order = order;
    this.#limits = limits;
    this.#buckets = new KeyBuckets(order);
    this.#part = order.parts[0];
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  get isComplete(): boolean {
    return this.#isComplete && !this.#isBroken;
  }

  get length(): number {
    return this.#buckets.length;
  }

  /** The first key of each bucket, then the first in none. */
  boundaries(): Boundary[] {
    const end = this.#end;
    return [...this.#buckets.all, ...(end?.texts === undefined ? [] : [end])];
  }

  append({ rows }: Pick<RelationChange, 'rows'>): void {
    this.#lastMove = this.#lastMove.next = { rows };
    const to = this.#end?.key;
    if (this.#isComplete || to !== undefined) this.#apply(rows, { from: undefined, to });
  }

  /** Returns the row changes appended since, for reads that outlast a base snapshot. */
  movesFromNow(): () => readonly RowChange[] {
    const last = this.#lastMove;
    return () => {
      const rows: RowChange[] = [];
      for (let move = last.next; move !== undefined; move = move.next) rows.push(...move.rows);
      return rows;
    };
  }

  forget(): void {
    this.#isBroken = true;
  }

  total(unseen: readonly RowChange[]): bigint | undefined {
    if (!this.isComplete) return undefined;
    return BigInt(this.#buckets.rows - deltaOf(unseen));
  }

  /** Where a page begins in a snapshot; undefined where unknown. */
  locate({ size, offset }: PageRange, unseen: readonly RowChange[]): RowPlace | undefined {
    const corrections = this.#corrections(unseen);
    if (corrections === undefined || !this.isComplete) return undefined;
    const place = this.#buckets.locate(Number(offset), corrections);
    if (place === undefined) return undefined;
    const last = this.#buckets.locate(Number(offset) + size - 1, corrections);
    const next = last && this.#buckets.after(last.bucket);
    const reachesNulls =
      this.#order.parts[1] === 'null' &&
      (next === undefined || this.#order.partOf(next.key) === 'null');
    return { from: this.#textsOf(place.bucket), skip: place.skip, reachesNulls };
  }

  placed(unseen: readonly RowChange[]): PlacedBuckets | undefined {
    const corrections = this.#corrections(unseen);
    return corrections && this.isComplete ? this.#buckets.placed(corrections) : undefined;
  }

  nextRead(unseen: readonly RowChange[]): KeyRead | undefined {
    const corrections = this.#corrections(unseen);
    if (corrections === undefined) return undefined;
    const part = this.#part;
    if (!this.#isComplete)
      return { from: this.#end?.texts, part, rows: this.#limits.chunkRows + 1, split: undefined };
    const [bucket] = this.#large;
    if (bucket === undefined) return undefined;
    const rows = bucket.count + (corrections.get(bucket) ?? 0);
    if (rows <= this.#limits.step) return undefined;
    const split = { bucket, next: this.#buckets.after(bucket) };
    const from = this.#textsOf(bucket);
    return { from, part: this.#order.partOf(bucket.key), rows, split };
  }

  /** Takes keys read in the same snapshot: one of every `step` rows, and the last. */
  learn(read: KeyRead, keys: readonly PlacedKey[], unseen: readonly RowChange[]): void {
    if (this.#isBroken) return;
    if (read.split === undefined) this.#extend(read, keys, unseen);
    else this.#split(read, keys, unseen);
    if (this.#buckets.length > this.#limits.buckets) this.#isBroken = true;
  }

  /** Adds a chunk's buckets, up to its last key, which begins the next one. */
  #extend(read: KeyRead, keys: readonly PlacedKey[], unseen: readonly RowChange[]): void {
    const [from, last] = [this.#end, keys.at(-1)];
    const isLast = last === undefined || last.place + 1 < read.rows;
    const end = isLast ? this.#nextPart() : this.#boundary(last.texts);
    const rows = isLast ? (last?.place ?? -1) + 1 : last.place;
    this.#buckets.push(this.#bucketsOf(keys, rows));
    this.#end = end;
    this.#isComplete = end === undefined;
    // A list without rows has no keys to follow.
    if (this.#isComplete && this.#buckets.length === 0) this.forget();
    this.#apply(unseen, { from: from?.key, to: end?.key });
  }

  /** Returns the start of the next part; undefined behind the last. */
  #nextPart(): ListEnd | undefined {
    const { parts } = this.#order;
    this.#part = this.#part && parts[parts.indexOf(this.#part) + 1];
    return this.#part && { key: this.#order.startOf(this.#part), texts: undefined };
  }

  #split({ split, rows }: KeyRead, keys: readonly PlacedKey[], unseen: readonly RowChange[]): void {
    if (split === undefined) return;
    const { bucket, next } = split;
    // Buckets may have been merged meanwhile.
    if (this.#buckets.find(bucket.key) !== bucket || this.#buckets.after(bucket) !== next) return;
    const last = keys.at(-1);
    const end = last && this.#boundary(last.texts);
    const isWithin =
      end !== undefined && (next === undefined || this.#order.compare(end.key, next.key) < 0);
    // The read keys must account for every row of the bucket, or counts are wrong.
    if (last?.place !== rows - 1 || !isWithin) return this.forget();
    const from = this.#buckets.isFirst(bucket) ? undefined : bucket;
    this.#large.delete(bucket);
    this.#buckets.replace(bucket, this.#bucketsOf(keys, rows));
    this.#apply(unseen, { from: from?.key, to: next?.key });
  }

  #bucketsOf(keys: readonly PlacedKey[], rows: number): Bucket[] {
    const first = keys.filter(({ place }) => place < rows && place % this.#limits.step === 0);
    return first.flatMap(({ texts, place }, index) => {
      const start = this.#boundary(texts);
      const count = (first[index + 1]?.place ?? rows) - place;
      return start === undefined ? [] : [{ key: start.key, texts, count }];
    });
  }

  #boundary(texts: KeyTexts): Boundary | undefined {
    const key = this.#order.read(texts);
    if (key === undefined) this.forget();
    return key && { key, texts };
  }

  #apply(rows: readonly RowChange[], range: KeyRange): void {
    for (const { came, went } of rows) {
      if (went !== undefined) this.#add(went, -1, range);
      if (came !== undefined) this.#add(came, 1, range);
    }
  }

  #add(texts: KeyTexts, rows: 1 | -1, { from, to }: KeyRange): void {
    const key = this.#boundary(texts)?.key;
    if (key === undefined || this.#isBroken) return;
    if (from !== undefined && this.#order.compare(key, from) < 0) return;
    if (to !== undefined && this.#order.compare(key, to) >= 0) return;
    const bucket = this.#buckets.add(key, rows);
    if (bucket === undefined || bucket.count < 0) return this.forget();
    if (bucket.count > this.#limits.splitRows) this.#large.add(bucket);
    else this.#large.delete(bucket);
    if (bucket.count === 0) this.#buckets.merge(bucket);
  }

  /** For a snapshot; undefined where a key can't be compared. */
  #corrections(unseen: readonly RowChange[]): Corrections | undefined {
    const corrections = new Map<Bucket, number>();
    const correct = (texts: KeyTexts | undefined, rows: 1 | -1): void => {
      const key = texts && this.#boundary(texts)?.key;
      const bucket = key && this.#buckets.find(key);
      if (bucket !== undefined) corrections.set(bucket, (corrections.get(bucket) ?? 0) + rows);
    };
    for (const { came, went } of unseen) {
      correct(came, -1);
      correct(went, 1);
    }
    return this.#isBroken ? undefined : corrections;
  }

  #textsOf(bucket: Bucket): KeyTexts | undefined {
    return this.#buckets.isFirst(bucket) ? undefined : bucket.texts;
  }
}
