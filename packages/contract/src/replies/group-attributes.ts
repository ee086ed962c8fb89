import {
  type AggregateOp,
  groupName,
  type GroupTerms,
  type RequestedRelated,
} from '../aggregates.ts';
import { facetsOf } from '../facet-types.ts';
import { operatorsOf, SORTABLE_TYPES } from '../operators.ts';
import type { WireType } from '../wire-types.ts';
import type { AttributeEntry } from './catalogue.ts';
import { attributeAt, inversesOf, type LinkedModel } from './linked-model.ts';

/** Group attributes, then aggregates, as attributes. Leaves out what the model lacks. */
export function groupAttributes(
  { by, aggregates }: GroupTerms,
  model: LinkedModel,
): AttributeEntry[] {
  const groups = by.flatMap((term) => {
    const { attribute, by: unit } = typeof term === 'string' ? { attribute: term } : term;
    const entry = attributeAt(attribute, model);
    if (entry === undefined || unit === undefined) return entry ?? [];
    return entryOf(groupName({ attribute, by: unit }), unit === 'hour' ? entry.type : 'date');
  });
  const computed = Object.entries(aggregates).flatMap(([name, { op, attribute }]) => {
    const entry = attribute === undefined ? undefined : attributeAt(attribute, model);
    if (attribute !== undefined && entry === undefined) return [];
    return entryOf(name, aggregateType(op, entry));
  });
  return [...groups, ...computed];
}

/** The model with the counts and aggregates of a request as attributes. */
export function withRelated(model: LinkedModel, related: RequestedRelated = {}): LinkedModel {
  const inverses = inversesOf(model);
  const named = Object.entries(related).flatMap(([name, { related: inverse, op, attribute }]) => {
    const referring = inverses.get(inverse);
    const entry = referring && attribute !== undefined && attributeAt(attribute, referring);
    if (referring === undefined || (attribute !== undefined && !entry)) return [];
    const type = aggregateType(op, entry || undefined);
    const facets = [...facetsOf(type as WireType)];
    return { ...entryOf(name, type), nullable: !isCount(op), facets };
  });
  return { ...model, attributes: [...model.attributes, ...named] };
}

function isCount(op: AggregateOp): boolean {
  return op === 'count' || op === 'count_distinct';
}

function aggregateType(op: AggregateOp, attribute: AttributeEntry | undefined): string {
  if (isCount(op)) return 'int64';
  return op === 'min' || op === 'max' ? (attribute?.type ?? 'other') : 'decimal';
}

function entryOf(name: string, type: string): AttributeEntry {
  const wireType = type as WireType;
  return {
    name,
    type,
    nullable: true,
    description: null,
    operators: operatorsOf(wireType),
    sortable: SORTABLE_TYPES.has(wireType),
  };
}
