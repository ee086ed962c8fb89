import { Introspection, type Relation, Texts } from '@proj/engine/database';

import type { CatalogueRows } from './catalogue-rows.ts';

/** Quoted texts and names, words and signs. */
const TOKEN = /'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`|[\w$\u0080-\u{10ffff}]+|\S/gsu;

/** Gives a view of one table those keys of the table that it shows whole. */
export function withViewKeys(
  relations: readonly Relation[],
  { database, definitions }: CatalogueRows,
): Relation[] {
  const own = definitions.filter((view) => view.database === database);
  const views = new Map(own.map(({ name, definition }) => [name, definition]));
  return Introspection.withViewKeys(relations, ({ name, columns }) => {
    const tokens = [...(views.get(name) ?? '').matchAll(TOKEN)].map(([token]) =>
      token.startsWith('`') || token.startsWith("'") ? token : token.toLowerCase(),
    );
    const source = Texts.singleSource(tokens);
    const [schema = '', table = '', ...others] = source?.path.map(unquoted) ?? [];
    const relation = relations.find((one) => one.name === table);
    if (source === undefined || schema !== database || others.length > 0) return undefined;
    return relation && { relation, nameOf: columnsIn(source, columns, database) };
  });
}

/** By the columns of the table that they show unchanged. MySQL prints a view's own names apart. */
function columnsIn(
  { items, alias }: Texts.SingleSource,
  columns: Relation['columns'],
  database: string,
): Map<string, string> {
  const shown = items.flatMap((item, index): [string, string][] => {
    // `table`.`column` as `name`
    const [, as, column = '', dot, of, ...before] = item.toReversed();
    const isColumn = as === 'as' && dot === '.' && of === alias && isOf(before, database);
    const name = columns[index]?.name;
    return isColumn && isName(column) && name !== undefined ? [[unquoted(column), name]] : [];
  });
  return new Map(items.length === columns.length ? shown : []);
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
