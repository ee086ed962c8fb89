import { attributesOf, type NamedColumn } from './condition.ts';
import type { GroupRows } from './list-rows.ts';
import type { FacetsPlan } from './plan-facets.ts';
import type { Plan } from './plan.ts';

export function groupedColumns({ groups, aggregates, condition }: GroupRows): NamedColumn[] {
  const named = [...groups, ...aggregates].flatMap(({ attribute }) => attribute ?? []);
  return [...named, ...attributesOf(condition)];
}

export function neededColumns({ attributes, order, condition }: Plan): NamedColumn[] {
  return [...attributes, ...order, ...attributesOf(condition)];
}

export function neededOfFacets({ counted, facets }: FacetsPlan): NamedColumn[] {
  return [counted, ...facets.map(({ rows }) => rows)].flatMap(groupedColumns);
}
