import { QueryFailedError, type RelationPath, type Statement } from '@proj/engine/database';

import { DISTRIBUTED_TABLES } from '../states/cluster-state.ts';
import { textLiteral } from '../values/sql-text.ts';
import type { Cluster } from './cut.ts';
import { readWhere } from './read-where.ts';

/** What the error of a read quotes where tables have been distributed, or are so no longer. */
export const OTHER_DISTRIBUTION = 'dynamic_query.distribution';

/** Which tables were found to be distributed, and which relations show rows of them. */
export interface DistributedTables {
  /** What {@link DISTRIBUTED_TABLES} was; undefined where the database has no Citus. */
  readonly tables: string | undefined;
  readonly relations: readonly RelationPath[];
}

/**
 * What is known of tables that are on several servers. It keeps reads of a relation that was found
 * to be whole on the server from reading it after Citus has distributed it: rows and total would be
 * of several states.
 */
export class Distribution {
  /** Finds states that all servers have in common; undefined where there are no others. */
  cluster: Cluster | undefined;
  #tables: string | undefined;
  #distributed: ReadonlySet<string> = new Set();
  /** Those that were found so the time before, too: no statement takes them for whole any more. */
  #settled: ReadonlySet<string> = new Set();
  #isFirst = true;

  learn({ tables, relations }: DistributedTables): void {
    const found = new Set(relations.map((path) => JSON.stringify(path)));
    const isSettled = (name: string): boolean => this.#isFirst || this.#distributed.has(name);
    this.#settled = new Set([...found].filter(isSettled));
    this.#isFirst = false;
    this.#distributed = found;
    this.#tables = tables;
  }

  /** Whether rows of a relation are on several servers. */
  has(relation: RelationPath): boolean {
    return this.#distributed.has(JSON.stringify(relation));
  }

  /**
   * A statement that fails where other tables are distributed than those that were found.
   *
   * @throws {QueryFailedError} `schema_changed` where the statement may have been made before its
   *   relation was found to be distributed
   */
  guarded(statement: Statement): Statement {
    if (this.#tables === undefined || hasCut(statement)) return statement;
    const names = (statement.relations ?? []).map((path) => JSON.stringify(path));
    const distributed = names.filter((name) => this.#distributed.has(name));
    if (distributed.some((name) => !this.#settled.has(name)))
      throw new QueryFailedError('schema_changed', 'A table has been distributed.');
    if (names.length === 0 || distributed.length > 0) return statement;
    const sql = `${DISTRIBUTED_TABLES} = ${textLiteral(this.#tables)}`;
    return readWhere(statement, { sql, named: OTHER_DISTRIBUTION, rows: 'undistributed' });
  }
}

/** Whether a statement is read in one state of all servers. */
function hasCut({ session }: Statement): boolean {
  return session !== undefined && session.cut.length > 0;
}
