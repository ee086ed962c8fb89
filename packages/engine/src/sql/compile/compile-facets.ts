import { facetsOf, SORTABLE_TYPES } from '@proj/contract';
import { type RawBuilder, sql } from 'kysely';

import { attributesOf, neededOfFacets } from '../../planning/missing-part.ts';
import type { FacetPlan, FacetsPlan } from '../../planning/plan-facets.ts';
import { compileAlone, compileLock, compileOptional } from './compile.ts';
import { columnOf } from '../clauses/column-of.ts';
import { fromRows } from '../clauses/from-rows.ts';
import { countedRows } from '../clauses/page-clauses.ts';
import { compileCondition } from '../clauses/condition.ts';
import type { Dialect } from '../dialect.ts';
import type { BinsClauses, ValuesClauses } from '../facet-clauses.ts';
import { freeName } from '../free-name.ts';
import type { FacetShape, FacetStatements } from '../facet-statements.ts';
import { evaluatedOnce } from '../clauses/single-evaluation.ts';
import type { Placeholder } from '../statement.ts';

/**
 * The statements of facets. For the countries of cities on PostgreSQL, leaving all but the values
 * out:
 *
 *     with "g" as (
 *       select "t"."country" as "s", count(*) as "n" from "public"."cities" as "t" group by 1
 *     )
 *     select …
 *     from (select "s", "n" from "g" where "s" is not null order by "n" desc, "s" limit 20)
 */
export function compileFacets(
  plan: FacetsPlan,
  dialect: Dialect,
  maxBytes: number,
): FacetStatements {
  const { rows, relations, facts } = plan;
  const read = { from: fromRows(rows, { named: [] }, dialect), where: sql`` };
  const once = evaluatedOnce({ list: plan, needed: neededOfFacets(plan) }, read, dialect);
  const { complete } = once;
  const fromFor = (facet: FacetPlan): RawBuilder<unknown> => {
    if (facts.varies !== undefined) return once.clauses.from;
    return fromRows(rows, { named: [facet.attribute, ...attributesOf(facet.condition)] }, dialect);
  };
  const conditionOf = ({ condition }: Pick<FacetPlan, 'condition'>) =>
    condition && compileCondition(condition, dialect);
  const groups = freeName('g', plan);
  let places = 0;
  const facets = plan.facets.map((facet): ValuesClauses | BinsClauses => {
    const { attribute: field } = facet;
    const [from, column] = [fromFor(facet), columnOf(field)];
    const records = { from, condition: conditionOf(facet), field, column, groups };
    if (facet.kind === 'bins') {
      const placeholders = keyPlaceholders(places, facet.bins + 1);
      const divisor = keyPlaceholder(places + facet.bins + 1);
      places += facet.bins + 2;
      return { ...records, kind: 'bins', bounds: placeholders, divisor, isAdded: isAdded(facet) };
    }
    const { kind, limit, sort } = facet;
    return { ...records, kind, limit, sort, isSortable: SORTABLE_TYPES.has(field.type) };
  });
  const bins = facets.filter((facet) => facet.kind === 'bins');
  const counted = facts.varies === undefined ? countedRows(plan, dialect) : once.clauses.from;
  const count = countOf(plan, counted, conditionOf(plan));
  const clauses = { facets, count, withRanges: !facts.hasSnapshots, maxBytes };
  const ranges = bins.length === 0 ? undefined : dialect.facets.selectRanges(bins);
  return {
    relations,
    hasSnapshots: facts.hasSnapshots || facts.varies?.inTransaction === true,
    facets: plan.facets.map(shapeOf),
    read: compileAlone(complete(dialect.facets.select(clauses)), dialect, plan),
    ranges: ranges && compileAlone(complete(ranges), dialect, plan),
    lock: compileLock(plan, dialect),
    version: compileOptional(dialect.version && sql`select ${dialect.version}`, dialect),
    maxBytes,
  };
}

/** Undefined where a facet is of the records that the total counts. */
function countOf(
  { facets, condition }: FacetsPlan,
  from: RawBuilder<unknown>,
  compiled: RawBuilder<unknown> | undefined,
): RawBuilder<unknown> | undefined {
  if (facets.some((facet) => facet.condition === condition)) return undefined;
  const where = compiled === undefined ? sql`` : sql` where ${compiled}`;
  return sql`select count(*) from ${from}${where}`;
}

function keyPlaceholders(first: number, length: number): RawBuilder<unknown>[] {
  return Array.from({ length }, (_, place) => keyPlaceholder(first + place));
}

function keyPlaceholder(index: number): RawBuilder<unknown> {
  const placeholder: Placeholder = { placeholder: 'key', index };
  return sql`${placeholder}`;
}

function shapeOf(facet: FacetPlan): FacetShape {
  const { attribute: field } = facet;
  return facet.kind === 'values'
    ? { kind: 'values', field }
    : { kind: 'bins', field, bins: facet.bins, isAdded: isAdded(facet) };
}

function isAdded({ attribute: { type } }: FacetPlan): boolean {
  return facetsOf(type).includes('sum');
}
