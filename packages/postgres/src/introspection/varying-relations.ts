import { Introspection } from '@proj/engine/database';

import { namesOf, RELATION_NUMBERS, withoutNames } from './view-rule.ts';

/** A page and its count have different plans; without `order by` these order rows differently. */

/** `limit`, `offset`, window functions, `distinct on`, and arrays of subqueries. */
const ORDERED_PARTS =
  /:limitCount [^<]|:limitOffset [^<]|:hasWindowFuncs true|:hasDistinctOn true|:subLinkType 6/;

/** Aggregates of any type that ignore the order of rows. */
const UNORDERED = `'count', 'min', 'max', 'bool_and', 'bool_or', 'every', 'bit_and', 'bit_or',
  'bit_xor', 'range_agg', 'range_intersect_agg', 'percentile_cont', 'percentile_disc', 'mode'`;

/** These depend on the order only for floating point numbers, whose sums are rounded. */
const ROUNDED = `'sum', 'avg', 'variance', 'var_pop', 'var_samp', 'stddev', 'stddev_pop',
  'stddev_samp'`;

/** All other aggregates. Even with `order by` in the call, since rows may be equal in it. */
const ORDERED_AGGREGATES = `
      select p.oid
      from pg_proc p
      where p.prokind = 'a'
        and not (
          p.pronamespace = 'pg_catalog'::regnamespace
          and (
            p.proname in (${UNORDERED})
            or p.proname in (${ROUNDED})
              and p.proargtypes[0] not in ('float4'::regtype, 'float8'::regtype)
          )
        )`;

/**
 * VOLATILE functions, the statement's time, and aggregates that depend on the order of rows. STABLE
 * functions are trusted, as by PostgreSQL: they see the calling statement's snapshot.
 */
export const VARYING_CALLS = `
with functions (id) as (
  select oid
  from pg_proc
  where provolatile = 'v' and prokind in ('f', 'w')
  union all
  select 'pg_catalog.statement_timestamp()'::regprocedure::oid
)
select json_build_object(
  'functions', (
    select json_agg(id::text)
    from (
      select id from functions
      union all
      select a.aggfnoid::oid
      from pg_aggregate a
      where exists (select from functions where id in (a.aggtransfn, a.aggfinalfn))
      union all
      ${ORDERED_AGGREGATES}
    ) as f
  ),
  'operators', (
    select coalesce(json_agg(o.oid::text), '[]')
    from pg_operator o
    join functions f on f.id = o.oprcode
  ),
  'types', (
    select coalesce(json_agg(t.oid::text), '[]')
    from pg_type t
    where t.typinput in (select id from functions) or t.typoutput in (select id from functions)
  ),
  'views', (
    select json_agg(oid::text)
    from pg_class
    where relkind = 'v'
      and relnamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
  )
)`;

/** Numbers by kind. All views are the system catalogue's. */
export interface VaryingCalls {
  readonly functions: readonly string[];
  readonly operators: readonly string[];
  readonly types: readonly string[];
  readonly views: readonly string[];
}

export interface RelationExpressions {
  readonly rule: string | null;
  /** A table's row security, for any role: a view reads with its owner's rights. */
  readonly policies: string | null;
}

const CALLS: Readonly<Record<keyof VaryingCalls, RegExp>> = {
  functions: /:(?:funcid|aggfnoid|winfnoid) (\d+)/g,
  operators: /:(?:opno|eqop|sortop) (\d+)/g,
  types: /:\w*type (\d+)/g,
  views: RELATION_NUMBERS,
};

/** Random samples, sequences (which have no snapshots), and what depends on the order of rows. */
const VARYING_PARTS = [/:repeatable <>|:relkind S/, ORDERED_PARTS];

export function varyingRelations(
  varying: VaryingCalls,
  relations: ReadonlyMap<string, RelationExpressions>,
): (id: string) => boolean {
  const calls = Object.entries(CALLS).map(([kind, pattern]) => ({
    pattern,
    ids: new Set(varying[kind as keyof VaryingCalls]),
  }));
  // A policy may refer to its own table.
  const varies = Introspection.judgeOnce((id): boolean => {
    const { rule, policies } = relations.get(id) ?? {};
    const text = withoutNames(`${rule ?? ''} ${policies ?? ''}`);
    return (
      VARYING_PARTS.some((part) => part.test(text)) ||
      calls.some(({ pattern, ids }) => namesOf(text, pattern).some((one) => ids.has(one))) ||
      namesOf(text, RELATION_NUMBERS).some(varies)
    );
  }, false);
  return varies;
}
