import { nameText, nameTexts } from '@proj/contract';

import type { Model, ToOne } from '../model.ts';
import { attributesOf } from '../references.ts';
import type { ExposeSettings, RelationSettings } from '../model-settings.ts';
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
  /** Where it can't have its name: one of its own, and the settings that give it. */
  readonly named?: readonly [string, RelationSettings] | undefined;
}

/** Only those that provably lead to one record at most: others would repeat records. */
export function buildRelations(
  built: ReadonlyMap<string, Model>,
  relations: readonly Relation[],
  settings: ExposeSettings,
) {
  const sources = new RelationSources(built, relations, settings);
  const checked = [...built.values()].flatMap((model) => checkRelations(model, sources));
  const found = withInverses(checked, sources);
  const models = [...built].map(([name, model]): [string, Model] => [
    name,
    Object.freeze({ ...model, relations: found.get(name) ?? new Map() }),
  ]);
  const foreignKeys = checked.flatMap(({ wanted, toOne, ...rest }): ForeignKeyFinding[] => {
    const { model, columns, foreignKey } = wanted;
    if (foreignKey === undefined) return [];
    const { relation: target } = foreignKey;
    return [{ model: model.name, columns, target, name: toOne?.name, ...rest }];
  });
  return { models: new Map(models), foreignKeys, reports: sources.reports };
}

/** Other directions have a name from the settings or the model, unless several would share it. */
function withInverses(checked: readonly CheckedRelation[], sources: RelationSources) {
  const byPlace = Map.groupBy(checked, placeOf);
  const models = new Map<string, Map<string, ToOne>>();
  for (const one of checked) {
    const { toOne, wanted } = one;
    if (toOne === undefined) continue;
    const { model: owner, inverse } = wanted;
    const namesakes = byPlace.get(placeOf(one)) ?? [];
    const declared = namesakes.filter((other) => other.wanted.inverse !== undefined);
    const isNamed = namesakes.length === 1 || (inverse !== undefined && declared.length === 1);
    if (!isNamed && inverse !== undefined) {
      const [target, name] = [nameText(toOne.model), nameText(inverse)];
      const problem = `Several relations to ${target} have the inverse ${name}.`;
      const remedy = 'Give each of them another one.';
      sources.report({ model: owner.name, place: [toOne.name, 'inverse'], problem, remedy });
    }
    const named = models.get(owner.name) ?? new Map<string, ToOne>();
    const known = { ...toOne, inverse: isNamed ? inverseOf(wanted) : undefined };
    models.set(owner.name, named.set(toOne.name, Object.freeze(known)));
  }
  return models;
}

function placeOf({ wanted, toOne }: CheckedRelation): string {
  return JSON.stringify([toOne?.model, inverseOf(wanted)]);
}

function inverseOf({ model, inverse }: WantedRelation): string {
  return inverse ?? model.name;
}

interface CheckedRelation extends Pick<ForeignKeyFinding, 'why' | 'named'> {
  readonly wanted: WantedRelation;
  readonly toOne: ToOne | undefined;
}

function checkRelations(model: Model, sources: RelationSources): CheckedRelation[] {
  const each = sources.wantedOf(model).map((wanted) => check(wanted, sources));
  return withoutNamesakes(each, sources).map((one) => {
    const { wanted, why } = one;
    if (why === undefined) return { ...one, named: whereShadowed(wanted, sources) };
    if (wanted.isDeclared) sources.report(mistakeIn(wanted, [], why));
    return one;
  });
}

function check(wanted: WantedRelation, sources: RelationSources): CheckedRelation {
  const { model, name, target, columns, key: wantedKey, foreignKey, operators = [] } = wanted;
  const none = (why: string): CheckedRelation => ({ wanted, toOne: undefined, why });
  if (target === undefined) return none('no model shows its target');
  if (!attributesOf(model, columns) || !attributesOf(target, wantedKey))
    return none('not all of its columns are attributes');
  if (model.varies !== undefined || target.varies !== undefined)
    return none('the rows of one end may differ in each read');
  const key = uniqueKeyOf(sources.relationOf(target)?.uniqueKeys ?? [], wantedKey);
  if (key === undefined) return none(NOT_UNIQUE);
  if (foreignKey === undefined && !haveSameTypes(wanted, target))
    return none('its columns are not of the types of the key');
  const toOne = { name, columns, model: target.name, key, operators, inverse: undefined };
  return { wanted, toOne, why: undefined };
}

const NOT_UNIQUE =
  'no unique index of all rows has exactly the columns of the key, ' +
  'so that one record could lead to several';

function uniqueKeyOf(candidates: readonly KeyCandidate[], key: readonly string[]) {
  for (const unique of candidates) {
    const parts = key.flatMap((column) => unique.find((part) => part.column === column) ?? []);
    if (parts.length === key.length && unique.length === key.length) return parts;
  }
  return undefined;
}

/** Of relations with one name, none remains. */
function withoutNamesakes(checked: readonly CheckedRelation[], sources: RelationSources) {
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
    const why = `another relation would be named ${nameText(name)} too`;
    return { ...one, toOne: undefined, why, named: ownName(one.wanted) };
  });
}

function ownName({ columns: attributes, target, key }: WantedRelation): CheckedRelation['named'] {
  const model = target?.name ?? '';
  const own = [...attributes, model].join('_').replaceAll('.', '_');
  return [own, { attributes, model, key }];
}

/** Its paths could be read as the whole name of an attribute. */
function whereShadowed(wanted: WantedRelation, sources: RelationSources) {
  const { model, name, target } = wanted;
  const start = `${name}.`;
  const shadowed = [...model.attributes.keys()].find(
    (attribute) =>
      attribute.startsWith(start) && target?.attributes.has(attribute.slice(start.length)),
  );
  if (shadowed === undefined) return undefined;
  const problem = `The attribute ${nameText(shadowed)} is named like a path along a relation.`;
  const remedy = `Give it another name, or the relation: ${settingsOf(wanted)}.`;
  sources.report({ model: model.name, place: [name], problem, remedy });
  return ownName(wanted);
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

function haveSameTypes({ model, columns, key }: WantedRelation, target: Model): boolean {
  return columns.every((column, index) => {
    const [from, to] = [model.columns.get(column), target.columns.get(key[index] ?? '')];
    const areWhole = [from, to].every((one) => one?.type === 'int32' || one?.type === 'int64');
    return areWhole || from?.databaseType === to?.databaseType;
  });
}
