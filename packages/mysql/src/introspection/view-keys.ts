import { Introspection, type KeyCandidate, type Relation, Texts } from '@proj/engine/database';

import type { CatalogueRows } from './catalogue-rows.ts';

/** Quoted texts and names, words and signs. */
const TOKEN = /'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`|[\w$\u0080-\u{10ffff}]+|\S/gsu;

/** Gives a view of one table those keys of the table that it shows whole. */
export function withViewKeys(
  relations: readonly Relation[],
  { database, definitions }: CatalogueRows,
): Relation[] {
  const tables = new Map(relations.map((relation) => [relation.name, relation]));
  const views = new Map(
    definitions.flatMap((view) =>
      view.database === database ? [[view.name, view.definition]] : [],
    ),
  );
  const keysOf = (name: string, above: readonly string[]): readonly KeyCandidate[] => {
    const definition = views.get(name);
    if (definition === undefined) return tables.get(name)?.keys ?? [];
    const shown = shownOf(definition, database);
    // A view may lead to itself.
    if (shown === undefined || above.includes(name)) return [];
    return Introspection.keysShown(keysOf(shown.table, [...above, name]), shown.columns);
  };
  return relations.map((relation) =>
    relation.kind === 'view'
      ? Introspection.withKeys(relation, keysOf(relation.name, []))
      : relation,
  );
}

interface Shown {
  readonly table: string;
  /** By the columns of the table that they show unchanged. */
  readonly columns: ReadonlyMap<string, string>;
}

function shownOf(definition: string, database: string): Shown | undefined {
  const tokens = [...definition.matchAll(TOKEN)].map(([token]) =>
    token.startsWith('`') || token.startsWith("'") ? token : token.toLowerCase(),
  );
  const source = Texts.singleSource(tokens);
  const [schema = '', table = '', ...others] = source?.path.map(unquoted) ?? [];
  if (source === undefined || schema !== database || table === '' || others.length > 0)
    return undefined;
  const { list, alias } = source;
  const columns = list.flatMap((_, index): [string, string][] => {
    // `table`.`column` as `name`, alone between two commas.
    if ((list[index - 1] ?? ',') !== ',') return [];
    const end = list.indexOf(',', index);
    const item = list.slice(index, end === -1 ? undefined : end);
    const [name = '', as, column = '', dot, of, ...before] = item.toReversed();
    const isColumn = as === 'as' && dot === '.' && of === alias && isOf(before, database);
    return isColumn && isName(column) && isName(name) ? [[unquoted(column), unquoted(name)]] : [];
  });
  return { table, columns: new Map(columns) };
}

function isOf([dot, schema = '', ...rest]: readonly string[], database: string): boolean {
  return dot === undefined || (dot === '.' && rest.length === 0 && unquoted(schema) === database);
}

function isName(token: string): boolean {
  return token.startsWith('`');
}

function unquoted(name: string): string {
  return isName(name) ? name.slice(1, -1).replaceAll('``', '`') : '';
}
