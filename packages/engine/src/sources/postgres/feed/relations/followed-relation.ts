import type { Statement } from '../../../../sql/statement.ts';
import type { RelationChange } from '../changes/changes.ts';
import type { RelationSchema } from './relation-schema.ts';
import type { ListLog } from '../changes/list-log.ts';
import { type ListChanges, RelationLog } from '../changes/relation-log.ts';
import type { Stamp } from './stamp.ts';
import type { ChangedRelation } from '../changes/transactions.ts';

/** A relation as it is followed as long as its schema stays as it is. */
export interface FollowedSchema {
  readonly relation: RelationSchema;
  /** What the stamps of its reads have to say. */
  readonly instance: string;
  readonly fingerprint: string;
  /** Takes the stamp of a read. */
  readonly stamp: Statement;
}

const NO_LISTS: readonly ListLog[] = [];

/**
 * A relation that is followed. Its log begins with the first transaction that began after its
 * changes were listened to: of one before, the log of the server may not have all.
 */
export class FollowedRelation implements ChangedRelation {
  readonly schema: FollowedSchema;
  /** No other relation has it, nor this one after it changed. */
  readonly token: string;
  #log: RelationLog | undefined;
  /** What came before it was known with which transaction the log begins. */
  readonly #early: RelationChange[] = [];
  #isReplaced = false;

  constructor(schema: FollowedSchema, token: string) {
    this.schema = schema;
    this.token = token;
  }

  get key(): readonly string[] {
    return this.schema.relation.key;
  }

  /** Undefined until it is known with which transaction it begins. */
  get log(): RelationLog | undefined {
    return this.#log;
  }

  get lists(): readonly ListLog[] {
    return this.#log?.lists ?? NO_LISTS;
  }

  append(change: RelationChange, ofLists?: ListChanges): void {
    if (this.#log === undefined) this.#early.push(change);
    else this.#log.append(change, ofLists);
  }

  /** @param firstXid a transaction that began after the relation's changes were listened to */
  beginLog(firstXid: bigint): void {
    const log = new RelationLog(firstXid);
    for (const change of this.#early.splice(0)) log.append(change);
    this.#log = log;
  }

  /** Its changes are no longer listened to. */
  replace(): void {
    this.#isReplaced = true;
  }

  /** Whether a stamp was taken of the relation as it is followed, on the server that is. */
  describes(stamp: Stamp): boolean {
    return this.isOn(stamp) && stamp.fingerprint === this.schema.fingerprint;
  }

  /** Whether a stamp was taken on the server that is followed. */
  isOn({ instance }: Stamp): boolean {
    return instance === this.schema.instance;
  }

  /**
   * The version of the relation at a stamp up to which the changes were followed. Undefined where
   * that is not known.
   */
  version(stamp: Stamp): string | undefined {
    if (this.#isReplaced || !this.describes(stamp)) return undefined;
    const version = this.#log?.version(stamp.snapshot);
    return version && `feed ${this.token} ${version}`;
  }
}
