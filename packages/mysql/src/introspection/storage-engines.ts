import type { Relation } from '@proj/engine/database';

import type { Connection } from '../connection/connection.ts';
import { type CatalogueRows, readEngines } from './catalogue-rows.ts';
import { keyOf, type VaryingRelations } from './varying-relations.ts';

/**
 * Storage engines whose statements each see one state of the data, by a snapshot or a table lock.
 * Others read several tables or servers (MERGE, FEDERATED, CONNECT, Spider) or promise nothing.
 */
const ONE_STATE_PER_STATEMENT = new Set([
  'innodb',
  'rocksdb',
  'tokudb',
  'myisam',
  'aria',
  'memory',
  's3',
]);

export interface EngineFacts {
  readonly rows: CatalogueRows;
  readonly varying: Pick<VaryingRelations, 'readBy'>;
  readonly connection: Connection;
}

/** Notes on each relation the storage engine that keeps its rows from having one state. */
export async function withStorageEngines(
  relations: readonly Relation[],
  { rows: { database, tables }, varying, connection }: EngineFacts,
): Promise<Relation[]> {
  const engines = new Map(
    tables.map(({ table: name, engine }) => [keyOf({ database, name }), engine]),
  );
  const read = new Map(
    relations.map((relation) => [relation, varying.readBy({ database, name: relation.name })]),
  );
  const outside = [...read.values()].flat().filter((one) => !engines.has(keyOf(one)));
  for (const { engine, ...one } of await readEngines(connection, outside))
    engines.set(keyOf(one), engine);
  return relations.map((relation) => {
    const problems = (read.get(relation) ?? []).flatMap((one) => {
      const engine = engines.get(keyOf(one)) ?? 'innodb';
      return ONE_STATE_PER_STATEMENT.has(engine.toLowerCase()) ? [] : { engine, name: one.name };
    });
    const [problem] = problems;
    return problem === undefined
      ? relation
      : { ...relation, distributed: describe(relation, problem) };
  });
}

function describe(
  relation: Relation,
  { engine, name }: { readonly engine: string; readonly name: string },
): string {
  const whose =
    relation.kind === 'view'
      ? `The storage engine ${engine} of ${name}, which it reads,`
      : `Its storage engine ${engine}`;
  return `${whose} does not promise one state of the data.`;
}
