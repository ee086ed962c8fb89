import { nameText, nameTexts } from '@proj/contract';

import type { Model, ToOne } from '../model.ts';
import type { CatalogueReport, ExposeSettings } from '../model-settings.ts';
import type { Relation, RelationPath, KeyCandidate } from '../relation.ts';
import { RelationSources, mistakeIn, type WantedRelation } from './wanted-relations.ts';

export interface ForeignKeyFinding {
  readonly model: string;
  readonly columns: readonly string[];
  readonly target: RelationPath;
  /** The name in paths; undefined where it is no relation. */
  readonly name: string | undefined;
  /** Ends a sentence; undefined where it is a relation. */
  readonly why: string | undefined;
}

export interface RelationsBuilding {
  readonly models: ReadonlyMap<string, Model>;
  readonly foreignKeys: readonly ForeignKeyFinding[];
  readonly reports: readonly CatalogueReport[];
}

/** Only those that provably lead to one record at most: others would repeat records. */
export function buildRelations(
  built: ReadonlyMap<string, Model>,
  relations: readonly Relation[],
  settings: ExposeSettings,
): RelationsBuilding {
  const sources = new RelationSources(built, relations, settings);
  const checked = [...built.values()].flatMap((model) => checkRelations(model, sources));
  const found = withInverses(
    checked.flatMap((one) => toOneOf(one) ?? []),
    sources,
  );
  const models = [...built].map(([name, model]): [string, Model] => [
    name,
    Object.freeze({ ...model, relations: found.get(name) ?? new Map() }),
  ]);
  const foreignKeys = checked.flatMap((one) => findingOf(one) ?? []);
  return { models: new Map(models), foreignKeys, reports: sources.reports };
}

interface Owned {
  readonly owner: Model;
  readonly toOne: ToOne;
  /** The settings' name of its other direction. */
  readonly inverse: string | undefined;
}

function toOneOf({ wanted, key, why }: CheckedRelation): Owned | undefined {
  const { model: owner, name, columns, target, operators, inverse } = wanted;
  if (why !== undefined || key === undefined || target === undefined) return undefined;
  const toOne: ToOne = {
    name,
    columns,
    model: target.name,
    key,
    operators: operators ?? [],
    inverse: undefined,
  };
  return { owner, toOne, inverse };
}

function findingOf({ wanted, why }: CheckedRelation): ForeignKeyFinding | undefined {
  const { model, columns, name, foreignKey } = wanted;
  if (foreignKey === undefined) return undefined;
  const found = why === undefined ? name : undefined;
  return { model: model.name, columns, target: foreignKey.relation, name: found, why };
}

/** Other directions have a name from the settings or the model, unless several would share it. */
function withInverses(
  relations: readonly Owned[],
  sources: RelationSources,
): Map<string, Map<string, ToOne>> {
  const nameFor = ({ owner, inverse }: Owned): string => inverse ?? owner.name;
  const placeOf = (one: Owned): string => JSON.stringify([one.toOne.model, nameFor(one)]);
  const byPlace = Map.groupBy(relations, placeOf);
  const models = new Map<string, Map<string, ToOne>>();
  for (const one of relations) {
    const { owner, toOne, inverse } = one;
    const namesakes = byPlace.get(placeOf(one)) ?? [];
    const declared = namesakes.filter((other) => other.inverse !== undefined);
    const isNamed = namesakes.length === 1 || (inverse !== undefined && declared.length === 1);
    if (!isNamed && inverse !== undefined) {
      const [target, name] = [nameText(toOne.model), nameText(inverse)];
      const problem = `Several relations to ${target} have the inverse ${name}.`;
      const remedy = 'Give each of them another one.';
      sources.report({ model: owner.name, place: [toOne.name, 'inverse'], problem, remedy });
    }
    const named = models.get(owner.name) ?? new Map<string, ToOne>();
    named.set(toOne.name, Object.freeze({ ...toOne, inverse: isNamed ? nameFor(one) : undefined }));
    models.set(owner.name, named);
  }
  return models;
}

export interface CheckedRelation {
  readonly wanted: WantedRelation;
  /** The unique key it leads to. */
  readonly key: KeyCandidate | undefined;
  /** Why it is no relation; ends a sentence. */
  readonly why: string | undefined;
}

/** Checks wanted relations, and reports declared ones that are none. */
function checkRelations(model: Model, sources: RelationSources): CheckedRelation[] {
  const each = sources.wantedOf(model).map((wanted) => check(wanted, sources));
  const checked = withoutNamesakes(each, sources);
  for (const { wanted, why } of checked) {
    if (why === undefined) reportShadowed(wanted, sources);
    else if (wanted.isDeclared) sources.report(mistakeIn(wanted, [], why));
  }
  return checked;
}

function check(wanted: WantedRelation, sources: RelationSources): CheckedRelation {
  const { model, target, columns, key, foreignKey } = wanted;
  const none = (why: string): CheckedRelation => ({ wanted, key: undefined, why });
  if (target === undefined) return none('no model shows its target');
  if (!isShown(model, columns) || !isShown(target, key))
    return none('not all of its columns are attributes');
  if (model.varies !== undefined || target.varies !== undefined)
    return none('the rows of one end may differ in each read');
  const unique = uniqueKeyOf(sources.relationOf(target)?.uniqueKeys ?? [], key);
  if (unique === undefined) return none(NOT_UNIQUE);
  if (foreignKey === undefined && !haveSameTypes(wanted, target))
    return none('its columns are not of the types of the key');
  return { wanted, key: unique, why: undefined };
}

const NOT_UNIQUE =
  'no unique index of all rows has exactly the columns of the key, ' +
  'so that one record could lead to several';

function uniqueKeyOf(
  candidates: readonly KeyCandidate[],
  key: readonly string[],
): KeyCandidate | undefined {
  for (const unique of candidates) {
    const parts = key.flatMap((column) => unique.find((part) => part.column === column) ?? []);
    if (parts.length === key.length && unique.length === key.length) return parts;
  }
  return undefined;
}

/** Of relations with one name, none remains. */
function withoutNamesakes(
  checked: readonly CheckedRelation[],
  sources: RelationSources,
): CheckedRelation[] {
  const found = checked.filter(({ why }) => why === undefined).map(({ wanted }) => wanted);
  const byName = Map.groupBy(found, ({ name }) => name);
  for (const [name, namesakes] of byName) {
    const [first] = namesakes;
    if (namesakes.length === 1 || first === undefined) continue;
    const problem =
      `Several relations would be named ${nameText(name)}: ` +
      `${namesakes.map(textOfColumns).join(' and ')}.`;
    const remedy = `Name one of them: models: { ${settingsOf(first)} }.`;
    sources.report({ model: first.model.name, place: [name], problem, remedy });
  }
  return checked.map((one) => {
    const { name } = one.wanted;
    if (one.why !== undefined || byName.get(name)?.length === 1) return one;
    return { ...one, why: `another relation would be named ${nameText(name)} too` };
  });
}

/** Its paths could be read as the whole name of an attribute. */
function reportShadowed(wanted: WantedRelation, sources: RelationSources): void {
  const { model, name, target } = wanted;
  const start = `${name}.`;
  const shadowed = [...model.attributes.keys()].find(
    (attribute) =>
      attribute.startsWith(start) && target?.attributes.has(attribute.slice(start.length)),
  );
  if (shadowed === undefined) return;
  const problem = `The attribute ${nameText(shadowed)} is named like a path along a relation.`;
  const remedy = `Give it another name, or the relation: ${settingsOf(wanted)}.`;
  sources.report({ model: model.name, place: [name], problem, remedy });
}

function textOfColumns({ columns, foreignKey, target }: WantedRelation): string {
  const to = foreignKey?.relation.at(-1) ?? target?.name ?? '';
  return `${nameTexts(columns)} → ${nameText(to)}`;
}

function settingsOf({ model, columns, target, key }: WantedRelation): string {
  const ends = [columns, key].map((names) => `[${names.join(', ')}]`);
  const relation = `{ attributes: ${ends[0]}, model: ${target?.name}, key: ${ends[1]} }`;
  return `${model.name}: { relations: { a_name: ${relation} } }`;
}

function isShown({ attributes }: Model, columns: readonly string[]): boolean {
  const shown = new Set([...attributes.values()].map(({ column }) => column));
  return columns.every((column) => shown.has(column));
}

function haveSameTypes({ model, columns, key }: WantedRelation, target: Model): boolean {
  return columns.every((column, index) => {
    const [from, to] = [model.columns.get(column), target.columns.get(key[index] ?? '')];
    return from?.databaseType === to?.databaseType || isWhole(from?.type, to?.type);
  });
}

function isWhole(...types: (string | undefined)[]): boolean {
  return types.every((type) => type === 'int32' || type === 'int64');
}
