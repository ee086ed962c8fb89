import type { ReferenceEntry } from '@proj/contract';

import type { Model } from './model.ts';
import type { ForeignKey } from './relation.ts';

/**
 * The references of a model as they travel: its foreign keys, as far as all attributes at both ends
 * are visible. A relation that several models show is referred to by each of them.
 */
export function referenceEntries(model: Model, visible: readonly Model[]): ReferenceEntry[] {
  return model.foreignKeys.flatMap((foreignKey) => {
    const attributes = attributesOf(model, foreignKey.columns);
    if (attributes === undefined) return [];
    return visible.flatMap((target): ReferenceEntry[] => {
      const key = isTarget(target, foreignKey) ? attributesOf(target, foreignKey.key) : undefined;
      return key === undefined ? [] : [{ attributes, model: target.name, key }];
    });
  });
}

function isTarget({ path }: Model, { relation }: ForeignKey): boolean {
  return path.length === relation.length && path.every((part, index) => part === relation[index]);
}

/** The attributes that show these columns; undefined where one of them has none. */
function attributesOf({ attributes }: Model, columns: readonly string[]): string[] | undefined {
  const all = [...attributes.values()];
  const names = columns.flatMap((column) => all.find((one) => one.column === column)?.name ?? []);
  return names.length === columns.length ? names : undefined;
}
