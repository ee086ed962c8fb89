import type { ChangeMessage, RelationMessage, RowMessage } from '../protocol/pgoutput.ts';
import {
  type KeyPlaces,
  keyPlaces,
  type RelationChange,
  type RowChange,
  rowChangeOf,
} from './row-change.ts';

export interface ChangedRelation {
  readonly key: readonly string[];
  append(change: RelationChange): void;
}

export interface WantedRelations {
  /** The table's relation, and all that it inherits from. */
  ofTable(oid: number): readonly ChangedRelation[];
  /** By name, which includes the schema. */
  named(name: string): readonly ChangedRelation[];
}

/** If a transaction changes more rows of a relation, none is listed. */
export const MOST_ROWS = 10_000;

interface Target {
  readonly relation: ChangedRelation;
  readonly places: KeyPlaces;
}

interface ChangeInProgress {
  rows: RowChange[];
  truncated: boolean;
}

export class TransactionReader {
  readonly #wanted: WantedRelations;
  readonly #tables = new Map<number, RelationMessage>();
  readonly #targets = new Map<number, readonly Target[]>();
  readonly #changes = new Map<ChangedRelation, ChangeInProgress>();
  #lastXid: bigint;
  #xid = 0n;
  #transactions = 0;

  constructor(wanted: WantedRelations, lastXid: bigint) {
    this.#wanted = wanted;
    this.#lastXid = lastXid;
  }

  get transactions(): number {
    return this.#transactions;
  }

  read(message: ChangeMessage): void {
    switch (message.kind) {
      case 'begin':
        this.#begin(message.xid);
        break;
      case 'commit':
        this.#commit();
        break;
      case 'relation':
        this.#tables.set(message.oid, message);
        this.#targets.delete(message.oid);
        break;
      case 'truncate':
        for (const oid of message.oids)
          for (const relation of this.#wanted.ofTable(oid)) this.#truncate(relation);
        break;
      case 'following':
        for (const relation of this.#wanted.named(message.relation)) this.#changeOf(relation);
        break;
      case 'other':
        break;
      default:
        this.#readRow(message);
    }
  }

  relationsChanged(): void {
    this.#targets.clear();
  }

  #begin(low: number): void {
    this.#xid = widenXid(low, this.#lastXid);
    if (this.#xid > this.#lastXid) this.#lastXid = this.#xid;
  }

  #commit(): void {
    for (const [relation, change] of this.#changes) relation.append({ xid: this.#xid, ...change });
    this.#changes.clear();
    this.#transactions += 1;
  }

  #readRow(message: RowMessage): void {
    for (const { relation, places } of this.#targetsOf(message.oid)) {
      const change = this.#changeOf(relation);
      if (change.truncated) continue;
      const row = rowChangeOf(message, places);
      if (row === undefined || change.rows.length >= MOST_ROWS) this.#truncate(relation);
      else change.rows.push(row);
    }
  }

  #truncate(relation: ChangedRelation): void {
    const change = this.#changeOf(relation);
    change.rows = [];
    change.truncated = true;
  }

  #changeOf(relation: ChangedRelation): ChangeInProgress {
    const known = this.#changes.get(relation);
    if (known !== undefined) return known;
    const change = { rows: [], truncated: false };
    this.#changes.set(relation, change);
    return change;
  }

  #targetsOf(oid: number): readonly Target[] {
    const known = this.#targets.get(oid);
    if (known !== undefined) return known;
    const table = this.#tables.get(oid);
    if (table === undefined) throw new RangeError('The change log wrote to an unknown table.');
    const targets = this.#wanted.ofTable(oid).map((relation) => ({
      relation,
      places: keyPlaces(relation.key, table),
    }));
    this.#targets.set(oid, targets);
    return targets;
  }
}

const RANGE = 2n ** 32n;

/** Completes the low half of an id by a recent one: ids in use are less than 2^31 apart. */
export function widenXid(low: number, near: bigint): bigint {
  return near + BigInt.asIntN(32, BigInt(low) - (near % RANGE));
}
