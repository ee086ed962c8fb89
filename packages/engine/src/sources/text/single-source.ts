export interface SingleSource {
  /** The tokens of each column. */
  readonly items: readonly (readonly string[])[];
  /** The name of the relation, with what is before it. */
  readonly path: readonly string[];
  readonly alias: string;
}

/** These keep each row of the relation one row, or none. */
const ENDS = new Set(['where', 'order', 'limit', 'using', ';']);

const MERGES = new Set(['group', 'having', 'union', 'intersect', 'except', 'minus']);

/**
 * The relation of a selection that surely reads only that one and neither multiplies nor merges its
 * rows.
 *
 * @param tokens from `select` on, words in lower case, names and texts with their quotes
 */
export function singleSource(tokens: readonly string[]): SingleSource | undefined {
  const [select, ...rest] = tokens;
  const end = outermost(rest).find(({ token }) => token === 'from')?.index;
  if (select !== 'select' || end === undefined) return undefined;
  const list = rest.slice(0, end);
  // A value that is selected apart may have the name of a column.
  if (list[0] === 'distinct' || /\( (?:select|with|values)\b/.test(list.join(' ')))
    return undefined;
  const behind = outermost(rest.slice(end + 1)).map(({ token }) => token);
  const path = pathAt(behind);
  const named = behind.slice(2 * path.length - 1);
  const [first = ';', second] = named;
  const alias = ENDS.has(first) ? path.at(-1) : first === 'as' ? second : first;
  const next = named[ENDS.has(first) ? 0 : first === 'as' ? 2 : 1] ?? ';';
  if (path.length === 0 || alias === undefined || !isName(alias) || !ENDS.has(next))
    return undefined;
  if (behind.some((token) => MERGES.has(token))) return undefined;
  return { items: itemsOf(list), path, alias };
}

function itemsOf(list: readonly string[]): string[][] {
  const commas = outermost(list).flatMap(({ token, index }) => (token === ',' ? index : []));
  return [...commas, list.length].map((end, place) =>
    list.slice((commas[place - 1] ?? -1) + 1, end),
  );
}

function outermost(tokens: readonly string[]): { token: string; index: number }[] {
  let depth = 0;
  return tokens.flatMap((token, index) => {
    if (token === ')') depth -= 1;
    const isOuter = depth === 0;
    if (token === '(') depth += 1;
    return isOuter ? { token, index } : [];
  });
}

function pathAt([name, dot, ...rest]: readonly string[]): readonly string[] {
  if (name === undefined || !isName(name)) return [];
  return dot === '.' ? [name, ...pathAt(rest)] : [name];
}

function isName(token: string): boolean {
  return /^["`[\w\u0080-\u{10ffff}]/u.test(token) && token !== 'from';
}
