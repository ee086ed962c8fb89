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
  return Introspection.withViewKeys(relations, ({ name }) => {
    const tokens = [...(views.get(name) ?? '').matchAll(TOKEN)].map(([token]) =>
      token.startsWith('`') || token.startsWith("'") ? token : token.toLowerCase(),
    );
    const source = Texts.singleSource(tokens);
    const [schema = '', table = '', ...others] = source?.path.map(unquoted) ?? [];
    const relation = relations.find((one) => one.name === table);
    if (source === undefined || schema !== database || others.length > 0) return undefined;
    return relation && { relation, nameOf: columnsIn(source, database) };
  });
}

/** By the columns of the table that they show unchanged. */
function columnsIn({ list, alias }: Texts.SingleSource, database: string): Map<string, string> {
  const columns = list.flatMap((_, index): [string, string][] => {
    // `table`.`column` as `name`, alone between two commas.
    if ((list[index - 1] ?? ',') !== ',') return [];
    const end = list.indexOf(',', index);
    const item = list.slice(index, end === -1 ? undefined : end);
    const [name = '', as, column = '', dot, of, ...before] = item.toReversed();
    const isColumn = as === 'as' && dot === '.' && of === alias && isOf(before, database);
    return isColumn && isName(column) && isName(name) ? [[unquoted(column), unquoted(name)]] : [];
  });
  return new Map(columns);
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
