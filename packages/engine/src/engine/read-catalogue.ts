import { buildCatalogue, type BuiltCatalogue } from '../catalogue/build/build.ts';
import { computedAttributes } from '../catalogue/build/computed-columns.ts';
import { selectionRelation } from '../catalogue/build/selections.ts';
import type { DescribedColumn, Refused } from '../catalogue/described-column.ts';
import type { ExposeSettings, ModelSettings } from '../catalogue/model-settings.ts';
import type { Relation } from '../catalogue/relation.ts';
import type { Source } from '../sources/source.ts';

type Describing = Pick<Source, 'introspect' | 'describe' | 'describeSelection'>;

/** What the settings show of a database, with what it computes for them. */
export async function readCatalogue(
  source: Describing,
  settings: ExposeSettings,
): Promise<BuiltCatalogue> {
  const relations = await source.introspect(settings.sessions);
  const selections: [string, Relation | Refusal][] = [];
  const columns: [string, ReadonlyMap<string, DescribedColumn>][] = [];
  for (const [name, model] of Object.entries(settings.models)) {
    const selection = await selectionOf(source, { name, model, relations });
    if (selection !== undefined) selections.push([name, selection]);
    const shown = selection ?? relations.find((one) => one.name === (model.source ?? name));
    if (shown !== undefined && !('problem' in shown))
      columns.push([name, await columnsOf(source, model, shown)]);
  }
  const described = { selections: new Map(selections), columns: new Map(columns) };
  return buildCatalogue(relations, settings, described);
}

interface ModelParts {
  readonly name: string;
  readonly model: ModelSettings;
  readonly relations: readonly Relation[];
}

type Refusal = Exclude<ReturnType<typeof selectionRelation>, Relation>;

async function selectionOf(
  source: Describing,
  parts: ModelParts,
): Promise<Relation | Refusal | undefined> {
  const { sql, reads } = parts.model;
  if (sql === undefined) return undefined;
  const described = (await source.describeSelection?.(sql, reads !== undefined)) ?? NO_SELECTIONS;
  return selectionRelation({ ...parts, described });
}

async function columnsOf(
  source: Describing,
  model: ModelSettings,
  { path, selection }: Relation,
): Promise<ReadonlyMap<string, DescribedColumn>> {
  const computed = computedAttributes(model);
  if (computed.length === 0) return new Map();
  const asked = computed.map(([, { sql, type, reads }]) => {
    return { relation: path, selection, sql, type, isOfRow: reads === 'row' };
  });
  const found = (await source.describe?.(asked)) ?? [];
  return new Map(
    computed.flatMap(([name], index) => {
      const column = found[index];
      return column === undefined ? [] : [[name, column] as const];
    }),
  );
}

const NO_SELECTIONS: Refused = {
  problem: 'The database has no selections of the settings.',
  remedy: 'Leave it out, or select it in a view.',
};
