import { Introspection, type Relation } from '@proj/engine/database';

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
}

/** Says which views may show other rows each time, and why. */
export async function withViewFacts(
  ask: Ask,
  relations: readonly Relation[],
  definitions: ReadonlyMap<string, string>,
): Promise<Relation[]> {
  const unsteady = await askUnsteady(ask);
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
  const reasonOf = Introspection.judgeOnce((id: string): string | undefined => {
    const tree = trees.get(id);
    if (tree === undefined) return trees.has(id) ? 'is not described by DuckDB' : undefined;
    return firstReason(tree, unsteady, (table) => reasonOf(idOf(table)));
  }, undefined);
  return relations.map((relation) => {
    const unversioned = reasonOf(JSON.stringify(relation.path));
    return unversioned === undefined
      ? { ...relation, versioned: true }
      : { ...relation, versioned: false, varies: true, unversioned };
  });
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
  return JSON.stringify([schema || 'main', table]);
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
