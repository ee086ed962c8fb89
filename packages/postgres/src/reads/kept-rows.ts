interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Plan Rows': number;
  readonly 'Plan Width': number;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
  /** Citus' tasks for other servers, each a statement over one shard. */
  readonly 'Distributed Query'?: DistributedQuery;
}

/** How Citus explains a statement: one task's plan for all. */
interface DistributedQuery {
  readonly Job: {
    readonly 'Task Count': number;
    readonly Tasks?: readonly { readonly 'Remote Plan'?: readonly (readonly Planned[])[] }[];
  };
}

interface Planned {
  readonly Plan: PlanNode;
}

/** Rows that a plan keeps until it has all of them, as for a sort. */
export interface KeptRows {
  readonly rows: number;
  readonly width: number;
}

/** These pass rows on, or keep no more than memory holds. The hash keeps a hash join's rows. */
const STREAMING: ReadonlySet<string> = new Set(
  `Append, Bitmap Heap Scan, Bitmap Index Scan, BitmapAnd, BitmapOr, Hash Join, Index Only Scan,
  Index Scan, Limit, Memoize, Merge Append, Merge Join, Nested Loop, Result, Seq Scan,
  Subquery Scan`.split(/,\s+/),
);

/**
 * The largest sort or other node that keeps rows. An incremental sort takes rows with equal first
 * values at a time, and keeps no more than the limit above lets through.
 * @param text the output of `explain (format json)`
 */
export function keptRows(text: string): KeptRows {
  const plans = JSON.parse(text) as readonly Planned[];
  const kept = plans.flatMap(({ Plan: plan }) => keptBy(plan, Infinity));
  return {
    rows: Math.max(0, ...kept.map(({ rows }) => rows)),
    width: Math.max(0, ...kept.map(({ width }) => width)),
  };
}

export function indexConditions(text: string): string[] {
  const plans = JSON.parse(text) as readonly Planned[];
  return plans.flatMap(({ Plan: plan }) => conditionsOf(plan)).toSorted();
}

function conditionsOf(node: PlanNode): string[] {
  const { 'Index Cond': condition, Plans: inputs = [] } = node;
  const below = [...inputs, ...taskPlansOf(node)].flatMap(conditionsOf);
  return [...(condition === undefined ? [] : [condition]), ...below];
}

function taskPlansOf({ 'Distributed Query': query }: PlanNode): PlanNode[] {
  const plans = query?.Job.Tasks?.flatMap((task) => task['Remote Plan'] ?? []) ?? [];
  return plans.flat().map(({ Plan: plan }) => plan);
}

/** Undefined where the planner's estimate holds. It knows nothing of what tasks answer. */
function rowsOfTasks(node: PlanNode): number | undefined {
  const plans = taskPlansOf(node);
  if (plans.length === 0) return undefined;
  const rows = Math.max(...plans.map((plan) => plan['Plan Rows']));
  return rows * (node['Distributed Query']?.Job['Task Count'] ?? 1);
}

function keptBy(node: PlanNode, limit: number): KeptRows[] {
  const { 'Node Type': type, 'Plan Rows': rows, 'Plan Width': width, Plans: inputs = [] } = node;
  const limitBelow = type === 'Limit' ? rows : Infinity;
  if (node['Distributed Query'] !== undefined) return keptByTasks(node);
  const below = inputs.flatMap((input) => keptBy(input, limitBelow));
  if (STREAMING.has(type)) return below;
  const [answered] = inputs.flatMap((input) => rowsOfTasks(input) ?? []);
  // Tasks answer at most the limit's rows, and a sort keeps as many.
  if (answered !== undefined) return [{ rows: Math.min(answered, limit), width }, ...below];
  const incoming = Math.max(rows, ...inputs.map((input) => input['Plan Rows']));
  const kept = type === 'Incremental Sort' ? Math.min(incoming, limit) : incoming;
  return [{ rows: kept, width }, ...below];
}

/** One server may run all tasks at once. Without shown tasks, the planner's estimate counts. */
function keptByTasks(node: PlanNode): KeptRows[] {
  const plans = taskPlansOf(node);
  if (plans.length === 0) return [{ rows: node['Plan Rows'], width: node['Plan Width'] }];
  return plans.flatMap((plan) => keptBy(plan, Infinity));
}
