import { Introspection } from '@proj/engine/database';

import { namesOf, RELATION_NUMBERS, withoutNames } from './view-rule.ts';

/**
 * Without `order by`, the order of rows depends on the plan. A page and a count have different
 * plans, even within one statement, so expressions that depend on that order may give different
 * results in the two.
 */

/** The first rows, rows by number, the first of those that are equal, and an array of rows. */
const ORDERED_PARTS =
  /:limitCount [^<]|:limitOffset [^<]|:hasWindowFuncs true|:hasDistinctOn true|:subLinkType 6/;

/** Aggregates that give the same in any order, whatever they are of. */
const UNORDERED = `'count', 'min', 'max', 'bool_and', 'bool_or', 'every', 'bit_and', 'bit_or',
  'bit_xor', 'range_agg', 'range_intersect_agg', 'percentile_cont', 'percentile_disc', 'mode'`;

/**
 * The same for aggregates whose result depends on the order only for floating point numbers, whose
 * sums are rounded.
 */
const ROUNDED = `'sum', 'avg', 'variance', 'var_pop', 'var_samp', 'stddev', 'stddev_pop',
  'stddev_samp'`;

/**
 * The numbers of all other aggregates, those of extensions and of the operator too. An order in the
 * call of one changes nothing, since rows may be equal in it.
 */
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
 * What may return different results when it is called several times in one snapshot: functions that
 * are VOLATILE, which is the default, the time of the statement, and aggregates that depend on the
 * order of rows. A function that is declared STABLE is trusted, as PostgreSQL does: it sees the
 * snapshot of the statement that calls it.
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

/** The numbers of what varies, by kind. Views are those of the system catalogue, all of them. */
export interface VaryingCalls {
  readonly functions: readonly string[];
  readonly operators: readonly string[];
  readonly types: readonly string[];
  readonly views: readonly string[];
}

/** A relation by its number, and the expressions that are evaluated when it is read. */
export interface RelationExpressions {
  readonly id: string;
  /** The rule of a view. */
  readonly rule: string | null;
  /**
   * The row security of a table, for whichever role: a view reads it with the rights of its owner.
   */
  readonly policies: string | null;
}

/** Where each kind of them is named. */
const CALLS: Readonly<Record<keyof VaryingCalls, RegExp>> = {
  functions: /:(?:funcid|aggfnoid|winfnoid) (\d+)/g,
  operators: /:(?:opno|eqop|sortop) (\d+)/g,
  types: /:\w*type (\d+)/g,
  views: RELATION_NUMBERS,
};

/**
 * A sample that is drawn anew each time, a sequence, which has no snapshots, and what goes by the
 * order of rows.
 */
const VARYING_PARTS = [/:repeatable <>|:relkind S/, ORDERED_PARTS];

/** Whether a relation, by its number, may show other rows each time that one snapshot is read. */
export function varyingRelations(
  varying: VaryingCalls,
  relations: readonly RelationExpressions[],
): (id: string) => boolean {
  const calls = Object.entries(CALLS).map(([kind, pattern]) => ({
    pattern,
    ids: new Set(varying[kind as keyof VaryingCalls]),
  }));
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  // A policy may refer to its own table.
  const varies = Introspection.judgeOnce((id): boolean => {
    const { rule, policies } = byId.get(id) ?? {};
    const text = withoutNames(`${rule ?? ''} ${policies ?? ''}`);
    return (
      VARYING_PARTS.some((part) => part.test(text)) ||
      calls.some(({ pattern, ids }) => namesOf(text, pattern).some((one) => ids.has(one))) ||
      namesOf(text, RELATION_NUMBERS).some(varies)
    );
  }, false);
  return varies;
}
