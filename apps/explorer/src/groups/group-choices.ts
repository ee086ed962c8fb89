import type { AttributeEntry } from '@proj/client';
import {
  aggregatesOf,
  attributeAt,
  isGroupable,
  type LinkedModel,
  unitsOf,
  type WireType,
} from '@proj/contract';

import { labelsOf } from '../state/labels.ts';
import { fewestFirst } from '../state/open-facets.ts';
import { relatedModels } from '../state/related-models.ts';
import { COUNTED } from '../state/view/group-address.ts';
import {
  type ComputeTerm,
  FIRST_VIEW,
  type GroupTerm,
  type GroupView,
} from '../state/view-state.ts';

/** Choices that belong together. */
export interface Choices<Choice> {
  /** The name of a relation or of an attribute; empty for those of no other. */
  readonly title: string;
  readonly choices: readonly Choice[];
}

function canBeGrouped({ type, items }: AttributeEntry): boolean {
  return isGroupable(type as WireType, items as WireType | undefined);
}

/** What a view may be grouped by: attributes of the model, and those behind one relation. */
export function groupChoices(model: LinkedModel): readonly Choices<string>[] {
  const own = model.attributes.filter(canBeGrouped).map(({ name }) => name);
  const related = relatedModels(model).map(({ relation, model: { attributes } }) => ({
    title: relation,
    choices: attributes.filter(canBeGrouped).map(({ name }) => `${relation}.${name}`),
  }));
  return [{ title: '', choices: own }, ...related];
}

/** What is computed of the groups of a model: their numbers of records first. */
export function computeChoices(model: LinkedModel): readonly Choices<ComputeTerm>[] {
  const computed = model.attributes.map(({ name, type, items }) => ({
    title: name,
    choices: aggregatesOf(type as WireType, items as WireType | undefined).flatMap((operation) =>
      operation === 'count' ? [] : { operation, attribute: name },
    ),
  }));
  return [{ title: '', choices: COUNTED }, ...computed.filter(({ choices }) => choices.length > 0)];
}

/** Whether two are the same. */
export function sameTerm(one: ComputeTerm, other: ComputeTerm): boolean {
  return one.operation === other.operation && one.attribute === other.attribute;
}

const NAMES: Readonly<Record<ComputeTerm['operation'], string>> = {
  count: 'number',
  count_distinct: 'number of values',
  sum: 'sum',
  average: 'average',
  min: 'least',
  max: 'greatest',
};

/** What is computed, for people. */
export function computeText({ operation, attribute }: ComputeTerm): string {
  return attribute === null ? 'records' : `${NAMES[operation]} of ${attribute}`;
}

/** The groups that are shown first: by the name of what a record refers to, or by few values. */
export function firstGroups(model: LinkedModel): GroupView | null {
  const [first] = fewestFirst(model).filter(canBeGrouped);
  if (first === undefined) return null;
  const { name } = labelsOf([first.name], model).get(first.name) ?? first;
  return {
    by: [termOf(name, model)],
    compute: COUNTED,
    filter: FIRST_VIEW.filter,
    sort: [],
    picture: null,
  };
}

/** An attribute as it is usually grouped by: dates by the month. */
export function termOf(attribute: string, model: LinkedModel): GroupTerm {
  const hasMonths = unitsAt(attribute, model).includes('month');
  return { attribute, unit: hasMonths ? 'month' : null };
}

/** The parts of time that an attribute is cut to; none for one that is no date. */
export function unitsAt(attribute: string, model: LinkedModel) {
  return unitsOf((attributeAt(attribute, model)?.type ?? 'other') as WireType);
}
