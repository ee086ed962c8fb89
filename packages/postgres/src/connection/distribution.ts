import { QueryFailedError, type RelationPath, type Statement } from '@proj/engine/database';

import { DISTRIBUTED_TABLES } from '../states/cluster-state.ts';
import { textLiteral } from '../values/sql-text.ts';
import type { Cluster } from './cut.ts';
import { readWhere } from './read-where.ts';

/** Quoted by errors of reads whose tables have been distributed, or no longer are. */
export const OTHER_DISTRIBUTION = 'dynamic_query.distribution';

export interface DistributedTables {
  /** The value of {@link DISTRIBUTED_TABLES}; undefined without Citus. */
  readonly tables: string | undefined;
  readonly relations: readonly RelationPath[];
}

/** Tables on several servers. Stops reads of tables distributed since: they'd mix states. */
export class Distribution {
  cluster: Cluster | undefined;
  #tables: string | undefined;
  #distributed: ReadonlySet<string> = new Set();
  /** Known since the last time, too: no statement takes them for whole any more. */
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

  has(relation: RelationPath): boolean {
    return this.#distributed.has(JSON.stringify(relation));
  }

  /**
   * Fails where other tables are distributed than known.
   *
   * @throws {QueryFailedError} `schema_changed` for a statement older than its distribution
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

function hasCut({ session }: Statement): boolean {
  return session !== undefined && session.cut.length > 0;
}
