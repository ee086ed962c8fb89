import { hash } from 'node:crypto';

import type { Statement } from '@proj/engine/database';

import type { RelationChange } from '../changes/row-change.ts';
import type { RelationSchema } from './relation-schema.ts';
import { RelationLog } from '../changes/relation-log.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';
import type { ShownRows, Stamp } from './stamp.ts';
import type { ChangedRelation } from '../changes/transactions.ts';

export interface FollowedSchema {
  readonly relation: RelationSchema;
  /** Every read's stamp has to repeat server and fingerprint. */
  readonly instance: string;
  readonly fingerprint: string;
  /** Of the server; transactions may recur after a crash. */
  readonly statisticsBegan: string;
  readonly stamp: Statement;
}

/** Its log begins after the feed listened: earlier transactions may lack changes. */
export class FollowedRelation implements ChangedRelation {
  readonly schema: FollowedSchema;
  /** Identifies relation and schema in every process. */
  readonly name: string;
  /** Identifies it within a session of the feed. */
  readonly token: string;
  readonly key: readonly string[];
  readonly log = new RelationLog();
  #isReplaced = false;

  constructor(schema: FollowedSchema, token: string) {
    this.schema = schema;
    this.token = token;
    const { relation, instance, fingerprint, statisticsBegan } = schema;
    const parts = JSON.stringify([instance, statisticsBegan, relation.oid, fingerprint]);
    this.name = hash('sha256', parts, 'base64url');
    this.key = schema.relation.key.map(({ name }) => name);
  }

  append(change: RelationChange): void {
    this.log.append(change);
  }

  /** @param begin a transaction that began after the feed listened */
  beginLog(begin: bigint): void {
    this.log.begin(begin);
  }

  /** Stops following: the relation is gone or has another schema. */
  replace(): void {
    this.#isReplaced = true;
  }

  describes(stamp: Stamp): boolean {
    return this.isOn(stamp) && stamp.fingerprint === this.schema.fingerprint;
  }

  /** Whether the log has the shown rows; under row-level security the service's are unknown. */
  isShownAs(shown: ShownRows | undefined): boolean {
    return !this.schema.relation.isPoliced || shown?.definition !== undefined;
  }

  tokenOf(shown: ShownRows | undefined): string {
    return shown === undefined ? this.token : `${this.token} ${shown.name}`;
  }

  isOn({ instance }: Stamp): boolean {
    return instance === this.schema.instance;
  }

  /** For a stamp that the feed has reached. Undefined where the snapshot can't be used. */
  version(stamp: Stamp): string | undefined {
    return this.describes(stamp) ? this.versionIn(stamp.snapshot) : undefined;
  }

  /** For a snapshot known to have the followed server and schema. */
  versionIn(snapshot: TransactionSnapshot): string | undefined {
    const version = this.#isReplaced ? undefined : this.log.version(snapshot);
    return version && `feed ${this.name} ${version}`;
  }
}
