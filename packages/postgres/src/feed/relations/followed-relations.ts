import type { RelationPath, Statement } from '@proj/engine/database';

import type { CommandConnection } from '../protocol/commands.ts';
import { FOLLOWING } from '../protocol/pgoutput.ts';
import { FollowedRelation } from './followed-relation.ts';
import { schemaOf, schemaStatement } from './relation-schema.ts';
import { publicationState } from './publication-state.ts';
import { stampOf, stampStatement } from './stamp.ts';

/** A relation that cannot be followed is looked at again after so many milliseconds. */
const LOOK_AGAIN_MS = 5000;

/** A relation that was asked for. */
interface Entry {
  followed: FollowedRelation | undefined;
  /** Whether it is being looked at. */
  isBusy: boolean;
  lookedAt: number;
}

/** What relations are followed by. */
export interface FollowTerms {
  readonly commands: CommandConnection;
  readonly publication: string;
  readonly serverVersion: number;
  readonly statisticsBegan: string;
  /** The state of the publication when following began. */
  readonly publicationState: string;
  /** Runs when the publication is found to have changed. */
  readonly onOtherPublication: () => void;
  /** Runs when the set of followed relations has changed. */
  readonly onChange: () => void;
}

/**
 * Tells all who follow a relation, since they name its versions by the transaction that touched it
 * last, and the database does not say which one that was before this process listened.
 *
 * @param name of the relation with its schema
 */
function tellFollowing(name: string): Statement {
  return {
    sql: `
      select pg_current_xact_id()::text
      from pg_logical_emit_message(true, '${FOLLOWING}', $1::text)`,
    parameters: [name],
  };
}

/** The relations that are followed: those that are asked for, where that is possible. */
export class FollowedRelations {
  readonly #terms: FollowTerms;
  readonly #entries = new Map<string, Entry>();
  readonly #byTable = new Map<number, FollowedRelation[]>();
  #count = 0;

  constructor(terms: FollowTerms) {
    this.#terms = terms;
  }

  /** The relations that the rows of a table belong to. */
  ofTable(oid: number): readonly FollowedRelation[] {
    return this.#byTable.get(oid) ?? [];
  }

  /** Those with a name, which identifies a relation with its schema. */
  named(name: string): FollowedRelation[] {
    const all = [...this.#entries.values()].flatMap(({ followed }) => followed ?? []);
    return all.filter((followed) => followed.name === name);
  }

  /** All that are followed and have a log. */
  all(): FollowedRelation[] {
    return [...this.#entries.values()].flatMap(({ followed }) =>
      followed?.log === undefined ? [] : [followed],
    );
  }

  /**
   * The relation, if it is followed already. Otherwise this begins to follow it, if it can be
   * followed.
   */
  get(path: RelationPath): FollowedRelation | undefined {
    const entry = this.#entryOf(path);
    if (entry.followed === undefined && performance.now() - entry.lookedAt > LOOK_AGAIN_MS)
      this.look(path);
    return entry.followed?.log === undefined ? undefined : entry.followed;
  }

  /** Looks at a relation again whose schema may have changed. */
  look(path: RelationPath): void {
    const entry = this.#entryOf(path);
    if (entry.isBusy) return;
    entry.isBusy = true;
    void this.#lookAt(path, entry);
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
      // Either the connection is lost, which ends the feed, or the relation is gone: it is not
      // followed.
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
    const same = entry.followed?.schema;
    const isSame =
      same?.relation.oid === found.relation.oid &&
      same.fingerprint === found.fingerprint &&
      same.instance === found.instance;
    if (isSame) return;
    this.#count += 1;
    const followed = new FollowedRelation(found, String(this.#count));
    this.#replace(entry, followed);
    const [xid] = await commands.ask(tellFollowing(followed.name));
    followed.beginLog(BigInt(xid ?? 0));
  }

  /** A relation as one snapshot shows it; undefined where it cannot be followed. */
  async #describe(path: RelationPath): Promise<FollowedRelation['schema'] | undefined> {
    const { commands, publication, serverVersion, statisticsBegan } = this.#terms;
    const statement = schemaStatement(path, publication);
    const schemaRow = await commands.ask(statement);
    const relation = schemaOf(schemaRow);
    if (relation?.isFollowable !== true) return undefined;
    const stamp = stampStatement(relation, publication, serverVersion);
    const [again = [], stampRow = [], [state] = []] = await commands.askInSnapshot([
      statement,
      stamp,
      publicationState(publication, serverVersion),
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
    for (const { followed: relation } of this.#entries.values())
      for (const oid of relation?.schema.relation.members ?? [])
        this.#byTable.set(oid, [...this.ofTable(oid), relation as FollowedRelation]);
    this.#terms.onChange();
  }
}
