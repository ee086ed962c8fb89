import type { RelationPath } from '../../../catalogue/relation.ts';
import type { Statement } from '../../../sql/statement.ts';
import { DISTRIBUTED_TABLES } from '../states/distributed-tables.ts';
import { textLiteral } from '../values/text-literal.ts';
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

  learn({ tables, relations }: DistributedTables): void {
    this.#tables = tables;
    this.#distributed = new Set(relations.map((path) => JSON.stringify(path)));
  }

  /** A statement that fails where other tables are distributed than those that were found. */
  guarded(statement: Statement): Statement {
    if (this.#tables === undefined) return statement;
    const { relations = [] } = statement;
    const isGuarded =
      relations.length > 0 &&
      !relations.some((path) => this.#distributed.has(JSON.stringify(path)));
    if (!isGuarded) return statement;
    const sql = `${DISTRIBUTED_TABLES} = ${textLiteral(this.#tables)}`;
    return readWhere(statement, { sql, named: OTHER_DISTRIBUTION, rows: 'undistributed' });
  }
}
