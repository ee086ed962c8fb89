/** A row with each value as its JSON text. */
export type ExactRow = Readonly<Record<string, string>>;

/** Types an element whose values are JSON texts already; a value that is none is written as one. */
export function exactRow(element: Readonly<Record<string, unknown>>): ExactRow {
  const texts = Object.entries(element).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts);
}
