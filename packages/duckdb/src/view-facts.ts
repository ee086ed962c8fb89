import { Introspection, type KeyCandidate, type Relation } from '@proj/engine/database';

import type { Ask } from './types.ts';

/** Aggregates whose result does not depend on the order of rows, which threads decide. */
const STEADY = `'count', 'count_star', 'sum', 'min', 'max', 'bool_and', 'bool_or', 'bit_and',
  'bit_or', 'bit_xor', 'count_if'`;

/** Values that are written like a column. */
const CLOCK = `'current_timestamp', 'current_time', 'localtime', 'localtimestamp'`;

export interface Described {
  readonly relation: Relation;
  /** How DuckDB reads a view's definition. */
  readonly tree: Node | null;
}

interface Node {
  readonly type?: string;
  readonly class?: string;
  readonly alias?: string;
  readonly function_name?: string;
  readonly column_names?: readonly string[];
  readonly schema_name?: string;
  readonly table_name?: string;
  readonly sample?: unknown;
  readonly distinct_on_targets?: readonly unknown[];
  readonly modifiers?: readonly Node[];
  readonly cte_map?: { readonly map: readonly unknown[] };
  readonly select_list?: readonly Node[];
  readonly from_table?: Node;
  readonly column_name_alias?: readonly string[];
  readonly catalog_name?: string;
  readonly group_sets?: readonly unknown[];
  readonly aggregate_handling?: string;
  readonly replace_list?: readonly unknown[];
  readonly columns?: boolean;
}

/** Says which views may show other rows each time, and why, and gives them keys of their table. */
export async function withViewFacts(
  ask: Ask,
  described: readonly Described[],
): Promise<Relation[]> {
  const [calls = { unsteady: [], multiplying: [] }] = await ask<Calls>(CALLS);
  const known = new Map(described.map((one) => [idOf(...one.relation.path), one]));
  const reasonOf = Introspection.judgeOnce((id: string): string | undefined => {
    const { relation, tree = null } = known.get(id) ?? {};
    if (relation?.kind === 'view' && tree === null) return 'is not described by DuckDB';
    for (const node of nodesIn(tree)) {
      const ofTable = node.type === 'BASE_TABLE' ? reasonOf(tableIn(node)) : undefined;
      const reason = ofTable ?? reasonAgainst(node, calls);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }, undefined);
  return described.map(({ relation }) => {
    const id = idOf(...relation.path);
    const unversioned = reasonOf(id);
    const shown = Introspection.withKeys(relation, keysOf(id, known, calls));
    return unversioned === undefined
      ? { ...shown, versioned: true }
      : { ...shown, versioned: false, varies: true, unversioned };
  });
}

/** Of a view of one table, or of such a view: the keys that it shows whole. */
function keysOf(
  id: string,
  known: ReadonlyMap<string, Described>,
  calls: Calls,
): readonly KeyCandidate[] {
  const { relation, tree = null } = known.get(id) ?? {};
  if (relation === undefined || tree === null) return relation?.keys ?? [];
  const { select_list: selected = [], from_table: from = {} } = tree;
  const source = known.get(tableIn(from))?.relation;
  if (source === undefined || !showsRows(tree)) return [];
  if ([...nodesIn(selected)].some((node) => calls.multiplying.includes(calledIn(node) ?? '')))
    return [];
  const [star] = selected;
  const isWhole = selected.length === 1 && star?.replace_list?.length === 0 && !star.columns;
  const shown = isWhole ? source.columns.map(({ name }) => name) : selected.map(originIn(from));
  if (shown.length !== relation.columns.length) return [];
  const origins = shown.map((origin) => origin?.toLowerCase());
  const nameOf = source.columns.map(({ name }) => {
    return [name, relation.columns[origins.indexOf(name.toLowerCase())]?.name] as const;
  });
  return Introspection.keysShown(keysOf(tableIn(from), known, calls), new Map(nameOf));
}

function showsRows(tree: Node): boolean {
  const { from_table: from, modifiers = [], cte_map: cte, group_sets: groups = [] } = tree;
  return (
    tree.type === 'SELECT_NODE' &&
    from?.type === 'BASE_TABLE' &&
    from.catalog_name === '' &&
    from.column_name_alias?.length === 0 &&
    cte?.map.length === 0 &&
    groups.length === 0 &&
    tree.aggregate_handling === 'STANDARD_HANDLING' &&
    modifiers.every(({ type }) => type === 'ORDER_MODIFIER')
  );
}

/** The column of the table that is shown as it is. A name of two parts may lead into a struct. */
function originIn({
  alias = '',
  table_name: table = '',
}: Node): (node: Node) => string | undefined {
  const prefix = (alias || table).toLowerCase();
  return ({ class: kind, column_names: names = [] }) => {
    const isOwn = names.length === 1 || (names.length === 2 && names[0]?.toLowerCase() === prefix);
    return kind === 'COLUMN_REF' && isOwn ? names.at(-1) : undefined;
  };
}

/** Names differ by more than the case of their letters. */
function idOf(...path: readonly string[]): string {
  return JSON.stringify(path).toLowerCase();
}

function tableIn({ schema_name: schema = '', table_name: table = '' }: Node): string {
  return idOf(schema || 'main', table);
}

function calledIn({ class: kind, function_name: name }: Node): string | undefined {
  return kind === 'FUNCTION' ? name?.toLowerCase() : undefined;
}

interface Calls {
  /** They may give another result each time, or depend on the order of rows. */
  readonly unsteady: readonly string[];
  /** They may show a row several times. */
  readonly multiplying: readonly string[];
}

const CALLS = `
  select list(distinct lower(function_name)) filter (where
      function_type = 'aggregate' and function_name not in (${STEADY})
      or function_type = 'macro' and not internal
      or function_type = 'scalar' and stability is distinct from 'CONSISTENT'
    ) || [${CLOCK}] as unsteady,
    list(distinct lower(function_name)) filter (where function_type = 'macro'
      and (not internal or contains(macro_definition, 'unnest'))
    ) || ['unnest', 'unlist'] as multiplying
  from duckdb_functions()`;

function* nodesIn(part: unknown): Generator<Node> {
  if (typeof part !== 'object' || part === null) return;
  yield part;
  for (const within of Object.values(part)) yield* nodesIn(within);
}

function reasonAgainst(node: Node, { unsteady }: Calls): string | undefined {
  const { type, class: kind, column_names: columns = [], sample = null } = node;
  const called = calledIn(node) ?? columns.at(-1)?.toLowerCase() ?? '';
  if (unsteady.includes(called)) return `calls ${called}, which may give another result each time`;
  if (kind === 'WINDOW') return 'numbers rows, which may be in another order each time';
  if (type === 'LIMIT_MODIFIER' || type === 'LIMIT_PERCENT_MODIFIER' || sample !== null)
    return 'shows some of its rows, which may be others each time';
  if (type === 'DISTINCT_MODIFIER' && (node.distinct_on_targets ?? []).length > 0)
    return 'shows one of several rows, which may be another each time';
  return type === 'TABLE_FUNCTION' ? 'reads what is no table' : undefined;
}
