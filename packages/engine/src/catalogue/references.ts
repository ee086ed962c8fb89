import type { ReferenceEntry } from '@proj/contract';

import type { Model, ToOne } from './model.ts';
import type { ForeignKey, RelationPath } from './relation.ts';

export class VisibleTargets {
  readonly #byName: ReadonlyMap<string, Model>;
  readonly #byRelation: ReadonlyMap<string, readonly Model[]>;

  constructor(visible: readonly Model[]) {
    this.#byName = new Map(visible.map((model) => [model.name, model]));
    this.#byRelation = Map.groupBy(visible, ({ database, path }) => relationName(database, path));
  }

  named(name: string): Model | undefined {
    return this.#byName.get(name);
  }

  of({ database }: Model, relation: RelationPath): readonly Model[] {
    return this.#byRelation.get(relationName(database, relation)) ?? [];
  }
}

function relationName(database: Model['database'], path: RelationPath): string {
  return JSON.stringify([database, path]);
}

/** Visible at both ends. All models of a target relation are referred to; paths lead along one. */
export function referenceEntries(model: Model, targets: VisibleTargets): ReferenceEntry[] {
  const relations = [...model.relations.values()];
  const referring = model.foreignKeys.flatMap((foreignKey) =>
    targets.of(model, foreignKey.relation).map((target) => ({
      target,
      columns: foreignKey.columns,
      key: foreignKey.key,
      toOne: relations.find(
        (one) => one.model === target.name && pairsOf(endsOf(one)) === pairsOf(foreignKey),
      ),
    })),
  );
  const declared = relations
    .filter((one) => !referring.some(({ toOne }) => toOne === one))
    .flatMap((toOne) => {
      const target = targets.named(toOne.model);
      const { columns, key } = endsOf(toOne);
      return target === undefined ? [] : [{ target, columns, key, toOne }];
    });
  return [...referring, ...declared].flatMap(({ target, columns, key, toOne }) => {
    const attributes = attributesOf(model, columns);
    const keyAttributes = attributesOf(target, key);
    if (attributes === undefined || keyAttributes === undefined) return [];
    const { name, inverse } = toOne ?? {};
    return {
      ...(name !== undefined && { name }),
      ...(inverse !== undefined && { inverse }),
      attributes,
      model: target.name,
      key: keyAttributes,
    };
  });
}

export function isRelationVisible(model: Model, target: Model, toOne: ToOne): boolean {
  const { columns, key } = endsOf(toOne);
  return attributesOf(model, columns) !== undefined && attributesOf(target, key) !== undefined;
}

export type Ends = Pick<ForeignKey, 'columns' | 'key'>;

function endsOf({ columns, key }: ToOne): Ends {
  return { columns, key: key.map(({ column }) => column) };
}

export function pairsOf({ columns, key }: Ends): string {
  const pairs = columns.map((column, index) => JSON.stringify([column, key[index]]));
  return JSON.stringify(pairs.toSorted());
}

/** Undefined where a column has no attribute. */
export function attributesOf(
  { attributes }: Model,
  columns: readonly string[],
): string[] | undefined {
  const all = [...attributes.values()];
  const names = columns.flatMap((column) => all.find((one) => one.column === column)?.name ?? []);
  return names.length === columns.length ? names : undefined;
}
