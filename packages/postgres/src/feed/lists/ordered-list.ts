import type { PageRange } from '@proj/engine/database';

import type { KeyTexts, RelationChange, RowChange } from '../changes/changes.ts';
import {
  type Boundary,
  type Bucket,
  type Corrections,
  KeyBuckets,
  type PlacedBuckets,
} from './key-buckets.ts';
import type { KeyOrder, OrderPart, SortedKey } from './key-order.ts';
import type { ChangeListener } from '../changes/relation-log.ts';

/** A read of keys that is to be done next: those of so many rows from a key on. */
export interface KeyRead {
  /** Where the read begins; undefined for the first row of the part. */
  readonly from: KeyTexts | undefined;
  /** Of which part they are; undefined where the list has none. */
  readonly part: OrderPart | undefined;
  readonly rows: number;
  /** The bucket that they split, and the one behind it; undefined where the list goes on. */
  readonly split: { readonly bucket: Bucket; readonly next: Bucket | undefined } | undefined;
}

/** A key that was read, and its place among the rows of the read, from 0 on. */
export interface PlacedKey {
  readonly texts: KeyTexts;
  readonly place: number;
}

/** Where a page begins: behind so many rows from a key on, or from the first row on. */
export interface ListPlace {
  readonly from: KeyTexts | undefined;
  readonly skip: number;
  /** Whether rows of the page may have NULL first, though the key has a value there. */
  readonly reachesNulls: boolean;
}

/** How large a list may be, and its parts. */
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

/** What comes behind the keys that were read: a key, or the start of a part. */
type ListEnd = Boundary | { readonly key: SortedKey; readonly texts: undefined };

/** Keys from one, which may be the first of all, up to another, which may be the end. */
interface KeyRange {
  readonly from: SortedKey | undefined;
  readonly to: SortedKey | undefined;
}

/**
 * How many rows of an ordered list come before each of some keys, after all changes that were
 * appended. For one snapshot, the changes that it does not see are subtracted. The keys are read in
 * chunks, each in a snapshot of its own; a bucket that grows too large is split.
 *
 * Parameters called `unseen` are the row changes appended so far that the snapshot does not see.
 */
export class OrderedList implements ChangeListener {
  readonly #order: KeyOrder;
  readonly #limits: ListLimits;
  readonly #buckets: KeyBuckets;
  readonly #large = new Set<Bucket>();
  /** The first key that is in no bucket yet. */
  #end: ListEnd | undefined;
  /** The part that is read. */
  #part: OrderPart | undefined;
  #isComplete = false;
  #isBroken = false;

  constructor(order: KeyOrder, limits: ListLimits) {
    this.#order = order;
    this.#limits = limits;
    this.#buckets = new KeyBuckets(order);
    this.#part = order.parts[0];
  }

  /** Whether it is of no use any longer, because it cannot follow the relation. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether it has all keys. */
  get isComplete(): boolean {
    return this.#isComplete && !this.#isBroken;
  }

  /** How many buckets it has. */
  get length(): number {
    return this.#buckets.length;
  }

  /** The first key of each bucket, and the first one that is in none yet; in order. */
  boundaries(): Boundary[] {
    const end = this.#end;
    return [...this.#buckets.all, ...(end?.texts === undefined ? [] : [end])];
  }

  append({ rows }: Pick<RelationChange, 'rows'>): void {
    if (this.#isComplete) this.#apply(rows, { from: undefined, to: undefined });
    else if (this.#end !== undefined) this.#apply(rows, { from: undefined, to: this.#end.key });
  }

  forget(): void {
    this.#isBroken = true;
  }

  /** How many rows a snapshot sees; undefined where that is not known. */
  total(unseen: readonly RowChange[]): bigint | undefined {
    if (!this.isComplete) return undefined;
    const delta = unseen.reduce((sum, { came, went }) => sum + (came ? 1 : 0) - (went ? 1 : 0), 0);
    return BigInt(this.#buckets.rows - delta);
  }

  /** Where a page of the rows is that a snapshot sees; undefined where that is not known. */
  locate({ size, offset }: PageRange, unseen: readonly RowChange[]): ListPlace | undefined {
    const corrections = this.#corrections(unseen);
    if (corrections === undefined || !this.isComplete) return undefined;
    const place = this.#buckets.locate(Number(offset), corrections);
    if (place === undefined) return undefined;
    const last = this.#buckets.locate(Number(offset) + size - 1, corrections);
    const reachesNulls = this.#reachesNulls(last?.bucket);
    return { from: this.#textsOf(place.bucket), skip: place.skip, reachesNulls };
  }

  /** Its buckets for a snapshot; undefined where they are not known. */
  placed(unseen: readonly RowChange[]): PlacedBuckets | undefined {
    const corrections = this.#corrections(unseen);
    return corrections && this.isComplete ? this.#buckets.placed(corrections) : undefined;
  }

  /** What is to be read next, in a snapshot; undefined where nothing is. */
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

  /**
   * Takes in what was read in the same snapshot: one key of every `step` rows and that of the last.
   */
  learn(read: KeyRead, keys: readonly PlacedKey[], unseen: readonly RowChange[]): void {
    if (this.#isBroken) return;
    if (read.split === undefined) this.#extend(read, keys, unseen);
    else this.#split(read.split, keys, { rows: read.rows, unseen });
    if (this.#buckets.length > this.#limits.buckets) this.#isBroken = true;
  }

  /** Adds the buckets of a chunk, up to its last key, which begins the next one. */
  #extend(read: KeyRead, keys: readonly PlacedKey[], unseen: readonly RowChange[]): void {
    const [from, last] = [this.#end, keys.at(-1)];
    const isLast = last === undefined || last.place + 1 < read.rows;
    const end = isLast ? this.#nextPart() : this.#boundary(last.texts);
    const rows = isLast ? (last?.place ?? -1) + 1 : last.place;
    this.#buckets.push(this.#bucketsOf(keys, rows));
    this.#end = end;
    this.#isComplete = end === undefined;
    // A list without rows has no keys that could be followed.
    if (this.#isComplete && this.#buckets.length === 0) this.forget();
    this.#apply(unseen, { from: from?.key, to: end?.key });
  }

  /** Goes on with the next part. Returns what it begins with; undefined behind the last one. */
  #nextPart(): ListEnd | undefined {
    const { parts } = this.#order;
    this.#part = this.#part && parts[parts.indexOf(this.#part) + 1];
    return this.#part && { key: this.#order.startOf(this.#part), texts: undefined };
  }

  #split(
    { bucket, next }: NonNullable<KeyRead['split']>,
    keys: readonly PlacedKey[],
    { rows, unseen }: { readonly rows: number; readonly unseen: readonly RowChange[] },
  ): void {
    // Buckets may have been merged meanwhile.
    if (this.#buckets.find(bucket.key) !== bucket || this.#buckets.after(bucket) !== next) return;
    const last = keys.at(-1);
    const end = last && this.#boundary(last.texts);
    const isWithin =
      end !== undefined && (next === undefined || this.#order.compare(end.key, next.key) < 0);
    // The keys that were read have to account for every row of the bucket, or the counts are wrong.
    if (last?.place !== rows - 1 || !isWithin) return this.forget();
    const from = this.#buckets.isFirst(bucket) ? undefined : bucket;
    this.#large.delete(bucket);
    this.#buckets.replace(bucket, this.#bucketsOf(keys, rows));
    this.#apply(unseen, { from: from?.key, to: next?.key });
  }

  /** The buckets of the first so many rows of those that were read. */
  #bucketsOf(keys: readonly PlacedKey[], rows: number): Bucket[] {
    const first = keys.filter(({ place }) => place < rows && place % this.#limits.step === 0);
    return first.flatMap(({ texts, place }, index) => {
      const start = this.#boundary(texts);
      const count = (first[index + 1]?.place ?? rows) - place;
      return start === undefined ? [] : [{ key: start.key, texts, count }];
    });
  }

  /** Undefined where the key cannot be compared, and the list not be followed. */
  #boundary(texts: KeyTexts): Boundary | undefined {
    const key = this.#order.read(texts);
    if (key === undefined) this.forget();
    return key && { key, texts };
  }

  /** Counts the rows of a range that came and went. */
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

  /** What to add to the counts for a snapshot; undefined where a key cannot be compared. */
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

  /** Whether the rows up to the end of a bucket may have NULL; undefined is behind the last. */
  #reachesNulls(last: Bucket | undefined): boolean {
    if (this.#order.parts[1] !== 'null') return false;
    const next = last && this.#buckets.after(last);
    return next === undefined || this.#order.partOf(next.key) === 'null';
  }

  /** The key that the rows of a bucket are read from. */
  #textsOf(bucket: Bucket): KeyTexts | undefined {
    return this.#buckets.isFirst(bucket) ? undefined : bucket.texts;
  }
}
