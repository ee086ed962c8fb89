import { sql } from 'kysely';

import { neededOfFacets } from '../../planning/needed-columns.ts';
import type { FacetPlan, FacetsPlan } from '../../planning/plan-facets.ts';
import { compileAlone, termsOf } from './compile.ts';
import { columnOf, listedAs } from '../clauses/relation-rows.ts';
import { fromRows, groupedRows } from '../clauses/from-rows.ts';
import { evaluatedOnce, freeName } from '../clauses/single-evaluation.ts';
import type { Dialect, SelectedRecords } from '../dialect.ts';
import {
  binsLists,
  type FacetLists,
  finiteEnds,
  hasSum,
  mayBeInNone,
  SIZE,
  valuesLists,
} from '../clauses/facet-lists.ts';
import type { BinsShape, FacetStatements } from '../query-statements.ts';
import type { Statement } from '../statement.ts';

export function compileFacets(
  plan: FacetsPlan,
  dialect: Dialect,
  maxBytes: number,
): FacetStatements {
  const { rows, facts, counted } = plan;
  const needed = neededOfFacets(plan);
  const listed = { from: fromRows(rows, { named: needed }, dialect), where: sql`` };
  const once = evaluatedOnce({ list: plan, needed }, listed, dialect);
  const hasSnapshots = facts.hasSnapshots || facts.varies?.inTransaction === true;
  const base = facts.varies === undefined ? undefined : once.clauses.from;
  const facets = plan.facets.map((facet, index): FacetLists => {
    const parts = { dialect, base, name: freeName(`g${index}`, plan) };
    return facet.by === undefined ? valuesLists(facet, parts) : binsLists(facet, parts);
  });
  const ranges = plan.facets.flatMap((facet) =>
    facet.by === undefined ? [] : finiteEnds(facet, { dialect, base }),
  );
  const isCounted = plan.facets.some((facet) => facet.rows.condition === counted.condition);
  const all = groupedRows(counted, { named: [SIZE], base }, dialect);
  const total = {
    fields: [SIZE],
    columns: [columnOf(SIZE)],
    rest: sql`from ${listedAs(sql`(${all})`)}`,
  };
  const lists = [
    ...facets.flatMap((facet) => facet.lists),
    ...(isCounted ? [] : [total]),
    ...(hasSnapshots ? [] : ranges),
  ];
  const groups = facets.flatMap((facet) => facet.groups ?? []);
  const compileLists = (some: readonly SelectedRecords[], others = groups): Statement =>
    compileAlone(once.complete(dialect.lists(some, maxBytes), ...others), dialect, plan);
  return {
    ...termsOf(plan, dialect),
    hasSnapshots,
    facets: plan.facets.map((facet) => shapeOf(facet, dialect)),
    read: compileLists(lists),
    fields: lists.map(({ fields }) => fields),
    ranges: ranges.length === 0 ? undefined : compileLists(ranges, []),
    rangeFields: ranges.map(({ fields }) => fields),
    maxBytes,
  };
}

function shapeOf(facet: FacetPlan, dialect: Dialect): BinsShape | undefined {
  const { attribute: field, by } = facet;
  const isAdded = hasSum(facet);
  return by && { field, bins: by.bins, isAdded, mayBeInNone: mayBeInNone(facet, dialect) };
}
