/**
 * Without `order by`, the order of rows depends on the plan. A page and a count have different
 * plans, even within one statement, so expressions that depend on that order may give different
 * results in the two.
 */

/** The first rows, rows by number, the first of those that are equal, and an array of rows. */
export const ORDERED_PARTS =
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
export const ORDERED_AGGREGATES = `
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
