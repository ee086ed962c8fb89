import { hash } from 'node:crypto';

import type { Statement } from '@proj/engine/database';

import type { RelationChange } from '../changes/changes.ts';
import type { RelationSchema } from './relation-schema.ts';
import { RelationLog } from '../changes/relation-log.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';
import type { ShownRows } from './shown-rows.ts';
import type { Stamp } from './stamp.ts';
import type { ChangedRelation } from '../changes/transactions.ts';

/** A relation as it is followed as long as its schema stays as it is. */
export interface FollowedSchema {
  readonly relation: RelationSchema;
  /** The server and the fingerprint of the schema, which the stamp of each read has to repeat. */
  readonly instance: string;
  readonly fingerprint: string;
  /** When the statistics of the server began, since transactions may come again after a crash. */
  readonly statisticsBegan: string;
  /** Takes the stamp of a read. */
  readonly stamp: Statement;
}

/**
 * A relation that is followed. Its log begins with the first transaction that began after the feed
 * listened for its changes: of earlier transactions the feed may have missed some changes.
 */
export class FollowedRelation implements ChangedRelation {
  readonly schema: FollowedSchema;
  /**
   * Identifies the relation with its schema in every process: another relation, or this one after
   * a change, has another name.
   */
  readonly name: string;
  /** Identifies it among all that one session of the feed has followed. */
  readonly token: string;
  /** The columns of its key. */
  readonly key: readonly string[];
  #log: RelationLog | undefined;
  /** Changes that arrived before the first transaction of the log was known. */
  readonly #early: RelationChange[] = [];
  #isReplaced = false;

  constructor(schema: FollowedSchema, token: string) {
    this.schema = schema;
    this.token = token;
    const { relation, instance, fingerprint, statisticsBegan } = schema;
    const parts = JSON.stringify([instance, statisticsBegan, relation.oid, fingerprint]);
    this.name = hash('sha256', parts, 'base64url');
    this.key = schema.relation.key.map(({ name }) => name);
  }

  /** Undefined until it is known with which transaction it begins. */
  get log(): RelationLog | undefined {
    return this.#log;
  }

  append(change: RelationChange): void {
    if (this.#log === undefined) this.#early.push(change);
    else this.#log.append(change);
  }

  /** @param begin a transaction that began after the relation's changes were listened to */
  beginLog(begin: bigint): void {
    const log = new RelationLog(begin);
    for (const change of this.#early.splice(0)) log.append(change);
    this.#log = log;
  }

  /** Ends the following of this relation, because it is gone or has another schema. */
  replace(): void {
    this.#isReplaced = true;
  }

  /** Whether a stamp has the server and the schema that are followed. */
  describes(stamp: Stamp): boolean {
    return this.isOn(stamp) && stamp.fingerprint === this.schema.fingerprint;
  }

  /**
   * Whether the changes of the relation are those of what is shown: of a relation with row-level
   * security the service is shown nobody knows what.
   */
  isShownAs(shown: ShownRows | undefined): boolean {
    return !this.schema.relation.isPoliced || shown?.definition !== undefined;
  }

  /** Identifies, beside the relation with its schema, the rows of it that are shown. */
  tokenOf(shown: ShownRows | undefined): string {
    return shown === undefined ? this.token : `${this.token} ${shown.name}`;
  }

  /** Whether a stamp was taken on the server that is followed. */
  isOn({ instance }: Stamp): boolean {
    return instance === this.schema.instance;
  }

  /**
   * The version of the relation in the snapshot of a stamp, once the feed has read as far as the
   * stamp says. Undefined where the snapshot cannot be used.
   */
  version(stamp: Stamp): string | undefined {
    return this.describes(stamp) ? this.versionIn(stamp.snapshot) : undefined;
  }

  /** The same in a snapshot that is known to have the server and the schema that are followed. */
  versionIn(snapshot: TransactionSnapshot): string | undefined {
    const version = this.#isReplaced ? undefined : this.#log?.version(snapshot);
    return version && `feed ${this.name} ${version}`;
  }
}
