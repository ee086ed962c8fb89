import { Introspection, type KeyCandidate, type Relation } from '@proj/engine/database';

import { literal } from './types.ts';

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
  relations: readonly Relation[],
  definitions: ReadonlyMap<string, string>,
): Promise<Relation[]> {
  const unsteady = await askUnsteady(ask);
  const trees = new Map<string, Node | undefined>();
  for (const [path, sql] of definitions) {
    const query = sql.replace(BEGINNING, '').replace(/;\s*$/, '');
    const [[text] = []] = await ask(
      `select json_serialize_sql(${literal(query)})::varchar as tree`,
    );
    const { statements: [statement] = [] } = JSON.parse(String(text)) as {
      statements?: readonly { readonly node: Node }[];
    };
    trees.set(path.toLowerCase(), statement?.node);
  }
  const reasonOf = Introspection.judgeOnce((id: string): string | undefined => {
    const tree = trees.get(id);
    if (tree === undefined) return trees.has(id) ? 'is not described by DuckDB' : undefined;
    return firstReason(tree, unsteady, (table) => reasonOf(idOf(table)));
  }, undefined);
  const byId = new Map(relations.map((relation) => [pathId(relation.path), relation]));
  return relations.map((relation) => {
    const id = pathId(relation.path);
    const shown = trees.has(id)
      ? Introspection.withKeys(relation, keysOf(id, byId, trees))
      : relation;
    const unversioned = reasonOf(id);
    return unversioned === undefined
      ? { ...shown, versioned: true }
      : { ...shown, versioned: false, varies: true, unversioned };
  });
}

/** Of a view of one table, or of such a view: the keys that it shows whole. */
function keysOf(
  id: string,
  relations: ReadonlyMap<string, Relation>,
  trees: ReadonlyMap<string, Node | undefined>,
): readonly KeyCandidate[] {
  const relation = relations.get(id);
  const { select_list: selected = [], from_table: from, ...tree } = trees.get(id) ?? {};
  if (!trees.has(id) || relation === undefined) return relation?.keys ?? [];
  const source = from === undefined ? undefined : relations.get(idOf(from));
  if (from === undefined || source === undefined || !showsRows(tree, from)) return [];
  const [star] = selected;
  const isWhole = selected.length === 1 && star?.replace_list?.length === 0 && !star.columns;
  // A call may show each row several times.
  const others = selected.filter(({ class: kind }) => kind !== 'COLUMN_REF');
  if (!isWhole && firstReason(others, MULTIPLYING, () => undefined) !== undefined) return [];
  const origins = isWhole ? source.columns.map(({ name }) => name) : selected.map(originIn(from));
  if (origins.length !== relation.columns.length) return [];
  const names = relation.columns.map(({ name }, index) => [origins[index], name] as const);
  const known = new Map(source.columns.map(({ name }) => [name.toLowerCase(), name]));
  const nameOf = new Map(
    names.map(([origin, name]) => [known.get(origin?.toLowerCase() ?? ''), name]),
  );
  return Introspection.keysShown(keysOf(idOf(from), relations, trees), nameOf);
}

const MULTIPLYING = new Set(['unnest', 'unlist']);

function showsRows(tree: Node, from: Node): boolean {
  const { modifiers = [], cte_map: cte, group_sets: groups = [] } = tree;
  return (
    tree.type === 'SELECT_NODE' &&
    from.type === 'BASE_TABLE' &&
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
function pathId(path: readonly string[]): string {
  return JSON.stringify(path).toLowerCase();
}

/** Functions that may give another result each time, or depend on the order of rows. */
async function askUnsteady(ask: Ask): Promise<ReadonlySet<string>> {
  const rows = await ask(`
    select distinct lower(function_name) from duckdb_functions()
    where function_type = 'aggregate' or function_type = 'macro' and not internal
      or function_type = 'scalar' and stability is distinct from 'CONSISTENT'`);
  const names = rows.map(([name]) => String(name));
  return new Set([...CLOCK, ...names.filter((name) => !STEADY.has(name))]);
}

function idOf({ schema_name: schema = '', table_name: table = '' }: Node): string {
  return pathId([schema || 'main', table]);
}

type ReasonOf = (node: Node) => string | undefined;

function firstReason(
  node: unknown,
  unsteady: ReadonlySet<string>,
  tableReason: ReasonOf,
): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const own = ownReason(node, unsteady, tableReason);
  if (own !== undefined) return own;
  for (const part of Object.values(node)) {
    const reason = firstReason(part, unsteady, tableReason);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function ownReason(
  node: Node,
  unsteady: ReadonlySet<string>,
  tableReason: ReasonOf,
): string | undefined {
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
