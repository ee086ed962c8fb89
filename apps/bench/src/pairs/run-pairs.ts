import type { Comparison } from '../comparison.ts';
import type { DatabaseName } from '../databases/database.ts';
import { type BenchDatabase, withDatabase } from '../databases/open.ts';
import { powerOfTen } from '../scenarios.ts';
import { type ServiceOptions, withService } from '../subjects/service.ts';
import { facetPairs } from './facet-pairs.ts';
import { type Pair, pairText } from './pair.ts';
import { relationPairs } from './relation-pairs.ts';
import { createShop, shopModels } from './shop.ts';

/** Pairs of one kind. */
interface Kind {
  /** What the rows are. */
  readonly things: string;
  create(database: BenchDatabase, rows: number): Promise<void>;
  served(name: DatabaseName, rows: number): Omit<ServiceOptions, 'database'>;
  pairs(name: DatabaseName, rows: number): readonly Pair[];
}

/** Facets, beside a `group by` of one's own. */
export const FACETS: Kind = {
  things: 'rows',
  create: (database, rows) => database.createTable(rows),
  served: (_name, rows) => ({ tables: [rows] }),
  pairs: facetPairs,
};

/** Lists along relations and groups, beside the same without them or statements of one's own. */
export const RELATIONS: Kind = {
  things: 'orders',
  create: createShop,
  served: (name) => ({ tables: [], settings: { expose: 'all', models: shopModels(name) } }),
  pairs: relationPairs,
};

/** Prints how the times of each pair compare. */
export async function runPairs(
  kind: Kind,
  { databases, rows, print }: Comparison<'databases' | 'rows'>,
): Promise<void> {
  for (const name of databases) {
    await withDatabase(name, async (database) => {
      await kind.create(database, rows);
      await withService({ database, ...kind.served(name, rows) }, async (service) => {
        for (const pair of kind.pairs(name, rows)) {
          const label = `${name}, ${powerOfTen(rows)} ${kind.things}, ${pair.label}`;
          // One that takes too long is a result, and no reason to leave out the others.
          const text = await pairText(pair, { database, service }).catch(String);
          print(`${label} (time at most ${pair.goal}): ${text}`);
        }
      });
    });
  }
}
