import { buildCatalogue, type BuiltCatalogue } from '../catalogue/build/build.ts';
import { computedAttributes } from '../catalogue/build/computed-columns.ts';
import { jsonPlaceSql } from '../catalogue/build/json-places.ts';
import { selectionRelation } from '../catalogue/build/selections.ts';
import type { DescribedColumn, Refused } from '../catalogue/described-column.ts';
import type { ExposeSettings, ModelError, ModelSettings } from '../catalogue/model-settings.ts';
import type { Relation } from '../catalogue/relation.ts';
import type { Source } from '../sources/source.ts';

type Describing = Pick<Source, 'introspect' | 'describe' | 'describeSelection' | 'jsonPlace'>;

export async function readCatalogue(
  source: Describing,
  settings: ExposeSettings,
): Promise<BuiltCatalogue> {
  const relations = await source.introspect(settings.sessions);
  const roles = settings.sessions?.map(({ role }) => role) ?? [];
  const selections: [string, Relation | ModelError][] = [];
  const columns: [string, ReadonlyMap<string, DescribedColumn>][] = [];
  for (const [name, model] of Object.entries(settings.models)) {
    const selection = await selectionOf(source, { name, model, relations, roles });
    if (selection !== undefined) selections.push([name, selection]);
    const shown = selection ?? relations.find((one) => one.name === (model.source ?? name));
    if (shown !== undefined && !('problem' in shown))
      columns.push([name, await columnsOf(source, shown, { model, roles })]);
  }
  const described = { selections: new Map(selections), columns: new Map(columns) };
  return buildCatalogue(relations, settings, described);
}

interface ModelParts {
  readonly name: string;
  readonly model: ModelSettings;
  readonly relations: readonly Relation[];
  readonly roles: readonly string[];
}

async function selectionOf(source: Describing, { roles, ...parts }: ModelParts) {
  const { sql, reads } = parts.model;
  if (sql === undefined) return undefined;
  const asked = { sql, isVersioned: reads !== undefined };
  const described = (await source.describeSelection?.(asked, roles)) ?? NO_SELECTIONS;
  return selectionRelation({ ...parts, described });
}

async function columnsOf(
  source: Describing,
  relation: Relation,
  { model, roles }: Pick<ModelParts, 'model' | 'roles'>,
): Promise<ReadonlyMap<string, DescribedColumn>> {
  const computed = computedAttributes(model);
  if (computed.length === 0) return new Map();
  const { path, selection } = relation;
  const columns = new Map<string, DescribedColumn>();
  for (const [name, settings] of computed) {
    const { sql: own, json, type, reads } = settings;
    const isOwn = json !== undefined;
    const sql = own ?? jsonPlaceSql(settings, { relation, model }, source.jsonPlace);
    const isOfRow = isOwn || reads === 'row';
    const found =
      typeof sql === 'string'
        ? await source.describe?.({ relation: path, selection, sql, isOwn, type, isOfRow }, roles)
        : sql;
    if (found !== undefined) columns.set(name, found);
  }
  return columns;
}

const NO_SELECTIONS: Refused = {
  problem: 'The database has no selections of the settings.',
  remedy: 'Leave it out, or select it in a view.',
};
