import { nameText } from '@proj/contract';

import type { Model, ToOne } from '../model.ts';
import type { CatalogueReport, ExposeSettings } from '../model-settings.ts';
import type { Relation, RelationPath } from '../relation.ts';
import { type CheckedRelation, checkRelations } from './check-relations.ts';
import { RelationSources } from './wanted-relations.ts';

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
