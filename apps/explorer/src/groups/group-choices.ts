import type { AttributeEntry } from '@proj/client';
import {
  aggregatesOf,
  isGroupable,
  type LinkedModel,
  unitsOf,
  type WireType,
} from '@proj/contract';

import { labelsOf } from '../state/labels.ts';
import { fewestFirst } from '../state/open-facets.ts';
import { relatedModels } from '../state/related-models.ts';
import type { GroupView } from '../state/view-state.ts';

/** What a view may be grouped by: attributes of the model, and those behind one relation. */
export interface GroupChoices {
  /** The name of the relation; empty for the model itself. */
  readonly relation: string;
  readonly names: readonly string[];
}

function canBeGrouped({ type, items }: AttributeEntry): boolean {
  return isGroupable(type as WireType, items as WireType | undefined);
}

export function groupChoices(model: LinkedModel): readonly GroupChoices[] {
  const own = model.attributes.filter(canBeGrouped).map(({ name }) => name);
  const related = relatedModels(model).map(({ relation, model: { attributes } }) => ({
    relation,
    names: attributes.filter(canBeGrouped).map(({ name }) => `${relation}.${name}`),
  }));
  return [{ relation: '', names: own }, ...related];
}

/** What is computed of the groups of a model: their numbers of records first. */
export function computeChoices(
  model: LinkedModel,
): readonly Pick<GroupView, 'operation' | 'attribute'>[] {
  const computed = model.attributes.flatMap(({ name, type }) =>
    aggregatesOf(type as WireType)
      .filter((operation) => operation === 'sum' || operation === 'average')
      .map((operation) => ({ operation, attribute: name })),
  );
  return [{ operation: 'count', attribute: null }, ...computed];
}

/** The groups that are shown first: by the name of what a record refers to, or by few values. */
export function firstGroups(model: LinkedModel): GroupView | null {
  const [first] = fewestFirst(model).filter(canBeGrouped);
  if (first === undefined) return null;
  const label = labelsOf([first.name], model).get(first.name);
  const { name: by, type } = label ?? first;
  return { by, unit: usualUnit(type), operation: 'count', attribute: null };
}

/** Dates are looked at by the month. */
export function usualUnit(type: string): GroupView['unit'] {
  return unitsOf(type as WireType).includes('month') ? 'month' : null;
}
