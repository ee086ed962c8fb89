import { arrayItems, objectMembers } from './json-text.ts';

/**
 * The body of a query's reply with every value of `result` replaced by a string: the JSON text of
 * the value, as the service sent it. Numbers inside stored JSON would lose digits in `JSON.parse`;
 * this way every cell is shown and exported as it was sent.
 *
 * @param counts names of values that stay as they are: the SDK reads them
 * @throws {SyntaxError} when the body is not a JSON text.
 */
export function withExactValues(body: string, counts: ReadonlySet<string> = new Set()): string {
  const reply: unknown = JSON.parse(body);
  if (
    typeof reply !== 'object' ||
    reply === null ||
    !('result' in reply) ||
    !isListOfObjects(reply.result)
  )
    return body;
  const members = objectMembers(body).map(({ name, value }) => {
    return `${JSON.stringify(name)}:${name === 'result' ? exactRecords(value, counts) : value}`;
  });
  return `{${members.join(',')}}`;
}

/** The names of the counts of related records in the body of a query. */
export function countsIn(body: string): ReadonlySet<string> {
  const { query_related: all = [] } = JSON.parse(body) as {
    readonly query_related?: readonly { readonly name: string; readonly op: string }[];
  };
  return new Set(all.flatMap(({ name, op }) => (op.startsWith('count') ? name : [])));
}

function exactRecords(result: string, counts: ReadonlySet<string>): string {
  const records = arrayItems(result).map((record) => {
    const values = objectMembers(record).map(
      ({ name, value }) =>
        `${JSON.stringify(name)}:${counts.has(name) ? value : JSON.stringify(value)}`,
    );
    return `{${values.join(',')}}`;
  });
  return `[${records.join(',')}]`;
}

function isListOfObjects(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  );
}
