import { Introspection, type Relation } from '@proj/engine/database';

import { literal } from './views.ts';

/** Asks DuckDB for rows, each with its values in order. */
export type Ask = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** Aggregates whose result does not depend on the order of rows, which threads decide. */
const STEADY = new Set(
  'count count_star sum min max bool_and bool_or bit_and bit_or bit_xor count_if'.split(' '),
);

/** Values that are written like a column. */
const CLOCK = ['current_timestamp', 'current_time', 'localtime', 'localtimestamp'];

const NAME = `(?:"(?:[^"]|"")*"|[^\\s"(])+`;
const BEGINNING = new RegExp(`^\\s*create\\s+view\\s+${NAME}\\s*(?:\\([^]*?\\))?\\s*as\\s+`, 'i');

/** Of a syntax tree as DuckDB writes it. */
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
}

interface SelectNode extends Node {
  readonly from_table: Node;
  readonly select_list: readonly Node[];
  readonly group_expressions: readonly unknown[];
  readonly modifiers: readonly Node[];
  readonly cte_map: { readonly map: readonly unknown[] };
  readonly having: unknown;
  readonly qualify: unknown;
}

interface Functions {
  readonly aggregates: ReadonlySet<string>;
  /** May give another result each time, or depend on the order of rows. */
  readonly unsteady: ReadonlySet<string>;
}

/** Gives views the keys of the table that they show, and says which show other rows each time. */
export async function withViewFacts(
  ask: Ask,
  relations: readonly Relation[],
  definitions: ReadonlyMap<string, string>,
): Promise<Relation[]> {
  const functions = await askFunctions(ask);
  const trees = new Map<string, Node | undefined>();
  for (const [id, sql] of definitions) {
    const query = sql.replace(BEGINNING, '').replace(/;\s*$/, '');
    const [[text] = []] = await ask(
      `select json_serialize_sql(${literal(query)})::varchar as tree`,
    );
    const { statements: [statement] = [] } = JSON.parse(String(text)) as {
      statements?: readonly { readonly node: Node }[];
    };
    trees.set(id, statement?.node);
  }
  const byId = new Map(relations.map((one) => [JSON.stringify(one.path), one]));
  const reasonOf = Introspection.judgeOnce((id: string): string | undefined => {
    const tree = trees.get(id);
    if (tree === undefined) return trees.has(id) ? 'is not described by DuckDB' : undefined;
    return firstReason(tree, functions, (table) => reasonOf(idOf(table)));
  }, undefined);
  const keysOf = Introspection.judgeOnce((id: string): Relation['keys'] => {
    const tree = trees.get(id);
    const view = byId.get(id);
    if (tree === undefined || view === undefined) return view?.keys ?? [];
    if (!showsEachRow(tree, functions)) return [];
    const shown = byId.get(idOf(tree.from_table));
    const names = shown && namesOf(tree, shown, view);
    return names ? Introspection.keysShown(keysOf(idOf(tree.from_table)), names) : [];
  }, []);
  return relations.map((relation): Relation => {
    const id = JSON.stringify(relation.path);
    const unversioned = reasonOf(id);
    const stable = { ...relation, versioned: unversioned === undefined };
    if (relation.kind === 'table') return stable;
    const view = unversioned === undefined ? stable : { ...stable, varies: true, unversioned };
    return Introspection.withKeys(view, keysOf(id));
  });
}

async function askFunctions(ask: Ask): Promise<Functions> {
  const rows = await ask(`
    select distinct lower(function_name), function_type from duckdb_functions()
    where function_type = 'aggregate' or function_type = 'macro' and not internal
      or function_type = 'scalar' and stability is distinct from 'CONSISTENT'`);
  const aggregates = rows.flatMap(([name, kind]) => (kind === 'aggregate' ? String(name) : []));
  const names = rows.map(([name]) => String(name)).filter((name) => !STEADY.has(name));
  return {
    aggregates: new Set(['unnest', ...aggregates]),
    unsteady: new Set([...CLOCK, ...names]),
  };
}

function idOf({ schema_name: schema = '', table_name: table = '' }: Node): string {
  return JSON.stringify([schema || 'main', table]);
}

type ReasonOf = (node: Node) => string | undefined;

function firstReason(
  node: unknown,
  functions: Functions,
  tableReason: ReasonOf,
): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const own = ownReason(node, functions, tableReason);
  if (own !== undefined) return own;
  for (const part of Object.values(node)) {
    const reason = firstReason(part, functions, tableReason);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function ownReason(node: Node, { unsteady }: Functions, tableReason: ReasonOf): string | undefined {
  const { type, class: kind, column_names: columns = [], sample = null } = node;
  const called = kind === 'FUNCTION' ? node.function_name : columns.at(-1);
  if (unsteady.has(String(called).toLowerCase()))
    return `calls ${called}, which may give another result each time`;
  if (kind === 'WINDOW') return 'numbers rows, which may be in another order each time';
  if (type === 'LIMIT_MODIFIER' || type === 'LIMIT_PERCENT_MODIFIER' || sample !== null)
    return 'shows some of its rows, which may be others each time';
  if (type === 'DISTINCT_MODIFIER' && (node.distinct_on_targets ?? []).length > 0)
    return 'shows one of several rows, which may be another each time';
  if (type === 'TABLE_FUNCTION') return 'reads what is no table';
  return type === 'BASE_TABLE' ? tableReason(node) : undefined;
}

/** Whether each row is one of the one relation that it names. */
function showsEachRow(node: Node, { aggregates }: Functions): node is SelectNode {
  if (node.type !== 'SELECT_NODE') return false;
  const { from_table: table, select_list: columns, having, qualify, ...rest } = node as SelectNode;
  const calls = (part: unknown): boolean =>
    typeof part === 'object' &&
    part !== null &&
    (aggregates.has(String((part as Node).function_name).toLowerCase()) ||
      (part as Node).class === 'SUBQUERY' ||
      Object.values(part).some(calls));
  return (
    table.type === 'BASE_TABLE' &&
    rest.group_expressions.length === 0 &&
    rest.cte_map.map.length === 0 &&
    having === null &&
    qualify === null &&
    rest.modifiers.every(({ type }) => type !== 'DISTINCT_MODIFIER') &&
    !columns.some(calls)
  );
}

/** By the name of a column, that of the view's column which shows it as it is. */
function namesOf(
  { select_list: selected }: SelectNode,
  shown: Relation,
  view: Relation,
): Map<string, string> | undefined {
  const known = new Map(shown.columns.map(({ name }) => [name.toLowerCase(), name]));
  const columns = selected.flatMap((one): (string | undefined)[] => {
    if (one.class === 'STAR') return isWholeStar(one) ? [...known.values()] : [undefined];
    return [known.get(one.column_names?.at(-1)?.toLowerCase() ?? '')];
  });
  if (columns.length !== view.columns.length) return undefined;
  const names = view.columns.map(({ name }, index) => [columns[index], name] as const);
  return new Map(names.flatMap(([column, name]) => (column === undefined ? [] : [[column, name]])));
}

/** Whether no column is left out, renamed or replaced. */
function isWholeStar(star: Node): boolean {
  return Object.entries(star).every(
    ([key, value]) => !key.endsWith('_list') || (Array.isArray(value) && value.length === 0),
  );
}
