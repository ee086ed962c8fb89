import { hash } from 'node:crypto';

import type { RelationPath, Statement } from '@proj/engine/database';

import { RelationLog } from '../changes/relation-log.ts';
import type { ChangedRelation } from '../changes/transactions.ts';
import type { CommandConnection } from '../protocol/commands.ts';
import { FOLLOWING } from '../protocol/pgoutput.ts';
import { type RelationSchema, schemaOf, schemaStatement } from './relation-schema.ts';
import { publicationState, type ShownRows, type Stamp, stampOf, stampStatement } from './stamp.ts';
import type { ServerFacts } from '../setup/requirements.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';

export interface FollowedSchema {
  readonly relation: RelationSchema;
  /** Every read's stamp has to repeat server and fingerprint. */
  readonly instance: string;
  readonly fingerprint: string;
  /** Of the server; transactions may recur after a crash. */
  readonly statisticsBegan: string | null;
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

  /** For a snapshot of the followed server and schema. Undefined where it can't be used. */
  version(snapshot: TransactionSnapshot): string | undefined {
    const version = this.#isReplaced ? undefined : this.log.version(snapshot);
    return version && `feed ${this.name} ${version}`;
  }
}

/** Milliseconds until a relation that can't be followed is looked at again. */
const LOOK_AGAIN_MS = 5000;

interface Entry {
  followed: FollowedRelation | undefined;
  isBusy: boolean;
  lookedAt: number;
}

export interface FollowTerms {
  readonly commands: CommandConnection;
  readonly publication: string;
  readonly server: Pick<ServerFacts, 'version' | 'statisticsBegan'>;
  readonly publicationState: string;
  readonly onOtherPublication: () => void;
  readonly onChange: () => void;
}

/** Others name versions by the relation's last transaction, unknown for the time before. */
const TELL_FOLLOWING = `
  select pg_current_xact_id()::text
  from pg_logical_emit_message(true, '${FOLLOWING}', $1::text)`;

export class FollowedRelations {
  readonly #terms: FollowTerms;
  readonly #entries = new Map<string, Entry>();
  readonly #byTable = new Map<number, FollowedRelation[]>();
  #count = 0;

  constructor(terms: FollowTerms) {
    this.#terms = terms;
  }

  ofTable(oid: number): readonly FollowedRelation[] {
    return this.#byTable.get(oid) ?? [];
  }

  named(name: string): FollowedRelation[] {
    return this.#known().filter((followed) => followed.name === name);
  }

  all(): FollowedRelation[] {
    return this.#known().filter(({ log }) => log.hasBegun);
  }

  /** Begins to follow the relation if it can be and isn't yet. */
  get(path: RelationPath): FollowedRelation | undefined {
    const entry = this.#entryOf(path);
    if (entry.followed === undefined && performance.now() - entry.lookedAt > LOOK_AGAIN_MS)
      this.look(path);
    return entry.followed?.log.hasBegun === true ? entry.followed : undefined;
  }

  look(path: RelationPath): void {
    const entry = this.#entryOf(path);
    if (entry.isBusy) return;
    entry.isBusy = true;
    void this.#lookAt(path, entry);
  }

  #known(): FollowedRelation[] {
    return [...this.#entries.values()].flatMap(({ followed }) => followed ?? []);
  }

  #entryOf(path: RelationPath): Entry {
    const name = JSON.stringify(path);
    const known = this.#entries.get(name);
    if (known !== undefined) return known;
    const entry = { followed: undefined, isBusy: false, lookedAt: -Infinity };
    this.#entries.set(name, entry);
    return entry;
  }

  async #lookAt(path: RelationPath, entry: Entry): Promise<void> {
    try {
      await this.#follow(path, entry);
    } catch {
      // The connection is lost, which ends the feed, or the relation is gone.
      this.#replace(entry, undefined);
    } finally {
      entry.isBusy = false;
      entry.lookedAt = performance.now();
    }
  }

  async #follow(path: RelationPath, entry: Entry): Promise<void> {
    const { commands } = this.#terms;
    const found = await this.#describe(path);
    if (found === undefined) return this.#replace(entry, undefined);
    const followed = new FollowedRelation(found, String(this.#count));
    if (entry.followed?.name === followed.name) return;
    this.#count += 1;
    this.#replace(entry, followed);
    const [xid] = await commands.ask({ sql: TELL_FOLLOWING, parameters: [followed.name] });
    followed.log.begin(BigInt(xid ?? 0));
  }

  /** In one snapshot; undefined where it can't be followed. */
  async #describe(path: RelationPath): Promise<FollowedRelation['schema'] | undefined> {
    const { commands, publication, server } = this.#terms;
    const { version, statisticsBegan } = server;
    const statement = schemaStatement(path, publication);
    const schemaRow = await commands.ask(statement);
    const relation = schemaOf(schemaRow);
    if (relation?.isFollowable !== true) return undefined;
    const stamp = stampStatement(relation, publication, version);
    const [again = [], stampRow = [], [state] = []] = await commands.askInSnapshot([
      statement,
      stamp,
      publicationState(publication, version),
    ]);
    if (state !== this.#terms.publicationState) this.#terms.onOtherPublication();
    // The schema changed between the two statements, so the stamp statement is that of the old one.
    if (again[0] !== schemaRow[0]) return undefined;
    const { instance, fingerprint } = stampOf(stampRow);
    return { relation, instance, fingerprint, statisticsBegan, stamp };
  }

  #replace(entry: Entry, followed: FollowedRelation | undefined): void {
    if (entry.followed === undefined && followed === undefined) return;
    entry.followed?.replace();
    entry.followed = followed;
    this.#byTable.clear();
    for (const known of this.#known())
      for (const oid of known.schema.relation.members)
        this.#byTable.set(oid, [...this.ofTable(oid), known]);
    this.#terms.onChange();
  }
}
