import {
  QueryFailedError,
  type ReadCall,
  type RelationPath,
  type Statement,
} from '@proj/engine/database';

import { DISTRIBUTED_TABLES } from '../states/cluster-state.ts';
import { quoted, textLiteral } from '../values/sql-text.ts';

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
    return this.#distributed.size > 0 && this.#distributed.has(JSON.stringify(relation));
  }

  /** @throws {QueryFailedError} `schema_changed` for a statement older than its distribution */
  guarded(statement: Statement): Statement {
    if (this.#tables === undefined || (statement.session?.cut.length ?? 0) > 0) return statement;
    const names = (statement.relations ?? []).map((path) => JSON.stringify(path));
    const distributed = names.filter((name) => this.#distributed.has(name));
    if (distributed.some((name) => !this.#settled.has(name)))
      throw new QueryFailedError('schema_changed', 'A table has been distributed.');
    if (names.length === 0 || distributed.length > 0) return statement;
    const sql = `${DISTRIBUTED_TABLES} = ${textLiteral(this.#tables)}`;
    return readWhere(statement, { sql, named: OTHER_DISTRIBUTION, rows: 'undistributed' });
  }
}

/** A state of all servers of a cluster, of which a transaction takes its snapshots. */
export interface Cut {
  readonly states: readonly string[];
  /** Found before: snapshots aren't checked, but all servers must still be in it at the end. */
  readonly isKnown: boolean;
  /** @throws {NoCommonStateError} where that server's state is not of the cut */
  confirm(own: string | undefined): Promise<void>;
  /** Called after all reads. @throws {NoCommonStateError} where a known state no longer holds */
  end(): Promise<string | undefined>;
  /** Called where no snapshots are taken, so that nobody waits for them. */
  leave(error: unknown): void;
}

export interface Cluster {
  /** Called before the first snapshot. `isQuick`: a retry is cheap. Default: false. */
  lookForCut(call: ReadCall, isQuick?: boolean): Promise<Cut>;
}

const READING =
  /^(?:explain \(format json\) |declare \w+ no scroll cursor for )?(?=select\b|with\b)/i;

interface ReadCondition {
  readonly sql: string;
  /** What the database's error quotes where it does not hold. */
  readonly named: string;
  readonly rows: string;
}

/** Fails where a condition does not hold. Statements without rows stay as they are. */
export function readWhere(statement: Statement, { sql, named, rows }: ReadCondition): Statement {
  const [start] = READING.exec(statement.sql) ?? [];
  if (start === undefined) return statement;
  const alias = quoted(rows);
  const read = `select ${alias}.* from (${statement.sql.slice(start.length)}) as ${alias}`;
  const guard = `(case when ${sql} then 'true' else '${named}' end)::bool`;
  return { ...statement, sql: `${start}${read} where ${guard}` };
}
