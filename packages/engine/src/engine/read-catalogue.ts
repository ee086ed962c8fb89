import {
  askedColumns,
  type AskedColumns,
  buildCatalogue,
  type BuiltCatalogue,
} from '../catalogue/build/build.ts';
import type { DescribedColumn, DescribedColumns } from '../catalogue/described-column.ts';
import type { ExposeSettings } from '../catalogue/model-settings.ts';
import type { Source } from '../sources/source.ts';

/** What the settings show of a database, with the columns that it computes. */
export async function readCatalogue(
  source: Pick<Source, 'introspect' | 'describe'>,
  settings: ExposeSettings,
): Promise<BuiltCatalogue> {
  const relations = await source.introspect(settings.sessions);
  const described = await describe(source, askedColumns(relations, settings));
  return buildCatalogue(relations, settings, described);
}

async function describe(
  source: Pick<Source, 'describe'>,
  asked: AskedColumns,
): Promise<DescribedColumns> {
  const described: [string, ReadonlyMap<string, DescribedColumn>][] = [];
  for (const [model, columns] of asked) {
    const found = (await source.describe?.([...columns.values()])) ?? [];
    const byName = [...columns.keys()].flatMap((name, index) => {
      const column = found[index];
      return column === undefined ? [] : [[name, column] as const];
    });
    described.push([model, new Map(byName)]);
  }
  return new Map(described);
}
