import type { KeyTexts } from '../changes/transactions.ts';
import type { KeyOrder, SortedKey } from './key-order.ts';

export interface Boundary {
  key: SortedKey;
  readonly texts: KeyTexts;
}

/** Rows from one key to the next bucket's; the first bucket also has the rows before it. */
export interface Bucket extends Boundary {
  count: number;
}

export type Corrections = ReadonlyMap<Bucket, number>;

export interface PlacedBuckets {
  readonly buckets: readonly Bucket[];
  readonly rowsBefore: Float64Array;
}

export interface BucketPlace {
  readonly bucket: Bucket;
  readonly skip: number;
}

const GROUP = 256;

/** Consecutive buckets of an ordered list, to find its nth row. */
export class KeyBuckets {
  readonly #order: KeyOrder;
  #buckets: Bucket[] = [];
  #sums: number[] = [];

  constructor(order: KeyOrder) {
    this.#order = order;
  }

  get all(): readonly Bucket[] {
    return this.#buckets;
  }

  get length(): number {
    return this.#buckets.length;
  }

  get rows(): number {
    return this.#sums.reduce((sum, rows) => sum + rows, 0);
  }

  find(key: SortedKey): Bucket | undefined {
    return this.#buckets[this.#indexOf(key)];
  }

  isFirst(bucket: Bucket): boolean {
    return this.#buckets[0] === bucket;
  }

  after(bucket: Bucket): Bucket | undefined {
    return this.#buckets[this.#indexOf(bucket.key) + 1];
  }

  add(key: SortedKey, rows: number): Bucket | undefined {
    const index = this.#indexOf(key);
    const bucket = this.#buckets[index];
    if (bucket === undefined) return undefined;
    bucket.count += rows;
    const group = Math.floor(index / GROUP);
    this.#sums[group] = (this.#sums[group] ?? 0) + rows;
    return bucket;
  }

  push(buckets: readonly Bucket[]): void {
    const index = this.#buckets.length;
    for (const bucket of buckets) this.#buckets.push(bucket);
    this.#sum(index);
  }

  replace(bucket: Bucket, others: readonly Bucket[]): void {
    const index = this.#indexOf(bucket.key);
    this.#buckets.splice(index, 1, ...others);
    this.#sum(index);
  }

  merge(bucket: Bucket): void {
    const index = this.#indexOf(bucket.key);
    const before = this.#buckets[index - 1];
    if (before === undefined) return;
    before.count += bucket.count;
    this.#buckets.splice(index, 1);
    this.#sum(index - 1);
  }

  /** A copy, with how many rows come before each bucket. */
  placed(corrections: Corrections): PlacedBuckets {
    const buckets = [...this.#buckets];
    const rowsBefore = new Float64Array(buckets.length);
    let before = 0;
    for (const [index, bucket] of buckets.entries()) {
      rowsBefore[index] = before;
      before += bucket.count + (corrections.size > 0 ? (corrections.get(bucket) ?? 0) : 0);
    }
    return { buckets, rowsBefore };
  }

  locate(offset: number, corrections: Corrections): BucketPlace | undefined {
    const groups = this.#groupCorrections(corrections);
    let before = 0;
    for (const [group, sum] of this.#sums.entries()) {
      const rows = sum + (groups.get(group) ?? 0);
      if (offset < before + rows) return this.#locateIn(group, offset - before, corrections);
      before += rows;
    }
    return undefined;
  }

  #locateIn(group: number, offset: number, corrections: Corrections): BucketPlace | undefined {
    let skip = offset;
    for (let index = group * GROUP; index < this.#buckets.length; index++) {
      const bucket = this.#buckets[index];
      if (bucket === undefined) return undefined;
      const rows = bucket.count + (corrections.get(bucket) ?? 0);
      if (skip < rows) return { bucket, skip };
      skip -= rows;
    }
    return undefined;
  }

  #groupCorrections(corrections: Corrections): Map<number, number> {
    const groups = new Map<number, number>();
    for (const [bucket, rows] of corrections) {
      const group = Math.floor(this.#indexOf(bucket.key) / GROUP);
      groups.set(group, (groups.get(group) ?? 0) + rows);
    }
    return groups;
  }

  /** The last bucket whose key is not behind this one; 0 where there is none. */
  #indexOf(key: SortedKey): number {
    const keyAt = (index: number): SortedKey => this.#buckets[index]?.key ?? [];
    return Math.max(0, this.#order.passed(this.#buckets.length, keyAt, key) - 1);
  }

  #sum(index: number): void {
    const first = Math.floor(index / GROUP);
    this.#sums.length = first;
    for (let from = first * GROUP; from < this.#buckets.length; from += GROUP) {
      const group = this.#buckets.slice(from, from + GROUP);
      this.#sums.push(group.reduce((sum, { count }) => sum + count, 0));
    }
  }
}
