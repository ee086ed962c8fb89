/** A node of a plan, as `explain (format json)` prints it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Plan Rows': number;
  readonly 'Plan Width': number;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that a plan has to keep until it has all of them, such as those that it sorts. */
export interface KeptRows {
  readonly rows: number;
  /** How many bytes a row has. */
  readonly width: number;
}

/**
 * Plan nodes that pass each row on at once, or keep only the positions of rows, or as much as fits
 * into memory whatever they get. A hash join keeps what the hash below it keeps.
 */
const STREAMING: ReadonlySet<string> = new Set([
  'Append',
  'Bitmap Heap Scan',
  'Bitmap Index Scan',
  'BitmapAnd',
  'BitmapOr',
  'Hash Join',
  'Index Only Scan',
  'Index Scan',
  'Limit',
  'Memoize',
  'Merge Append',
  'Merge Join',
  'Nested Loop',
  'Result',
  'Seq Scan',
  'Subquery Scan',
]);

/**
 * The largest sort of a plan, or whatever else of it keeps rows. An incremental sort takes rows
 * with equal first values at a time, and keeps no more than the limit above it lets through:
 * https://www.postgresql.org/docs/current/using-explain.html
 *
 * @param text the output of `explain (format json)`
 */
export function keptRows(text: string): KeptRows {
  const plans = JSON.parse(text) as readonly { readonly Plan: PlanNode }[];
  const kept = plans.flatMap(({ Plan: plan }) => keptBy(plan, Infinity));
  return {
    rows: Math.max(0, ...kept.map(({ rows }) => rows)),
    width: Math.max(0, ...kept.map(({ width }) => width)),
  };
}

/**
 * What the indexes of a plan are searched by.
 *
 * @param text the output of `explain (format json)`
 */
export function indexConditions(text: string): string[] {
  const plans = JSON.parse(text) as readonly { readonly Plan: PlanNode }[];
  return plans.flatMap(({ Plan: plan }) => conditionsOf(plan)).toSorted();
}

function conditionsOf({ 'Index Cond': condition, Plans: inputs = [] }: PlanNode): string[] {
  return [...(condition === undefined ? [] : [condition]), ...inputs.flatMap(conditionsOf)];
}

function keptBy(node: PlanNode, limit: number): KeptRows[] {
  const { 'Node Type': type, 'Plan Rows': rows, 'Plan Width': width, Plans: inputs = [] } = node;
  const limitBelow = type === 'Limit' ? rows : Infinity;
  const below = inputs.flatMap((input) => keptBy(input, limitBelow));
  if (STREAMING.has(type)) return below;
  const incoming = Math.max(rows, ...inputs.map((input) => input['Plan Rows']));
  const kept = type === 'Incremental Sort' ? Math.min(incoming, limit) : incoming;
  return [{ rows: kept, width }, ...below];
}
