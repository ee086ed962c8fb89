/**
 * Rows come in the order that the plan of a statement gives them. A page and a count of one
 * snapshot, within one statement too, have plans of their own. So what goes by that order may
 * differ between them.
 */

/** The first rows, rows by number, the first of those that are equal, and an array of rows. */
export const ORDERED_PARTS =
  /:limitCount [^<]|:limitOffset [^<]|:hasWindowFuncs true|:hasDistinctOn true|:subLinkType 6/;

/** Aggregates that give the same in any order, whatever they are of. */
const UNORDERED = `'count', 'min', 'max', 'bool_and', 'bool_or', 'every', 'bit_and', 'bit_or',
  'bit_xor', 'range_agg', 'range_intersect_agg', 'percentile_cont', 'percentile_disc', 'mode'`;

/** Those that do so unless they are of floating point numbers, whose sums are rounded. */
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
