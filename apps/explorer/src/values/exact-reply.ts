import { arrayItems, objectMembers } from './json-text.ts';

/**
 * The body of a query's reply with every value of `result` replaced by a string: the JSON text of
 * the value, as the service sent it. Numbers inside stored JSON would lose digits in `JSON.parse`;
 * this way every cell is shown and exported as it was sent.
 *
 * @throws {SyntaxError} when the body is not a JSON text.
 */
export function withExactValues(body: string): string {
  const reply: unknown = JSON.parse(body);
  if (
    typeof reply !== 'object' ||
    reply === null ||
    !('result' in reply) ||
    !isListOfObjects(reply.result)
  )
    return body;
  const members = objectMembers(body).map(({ name, value }) => {
    return `${JSON.stringify(name)}:${name === 'result' ? exactRecords(value) : value}`;
  });
  return `{${members.join(',')}}`;
}

function exactRecords(result: string): string {
  const records = arrayItems(result).map((record) => {
    const values = objectMembers(record).map(
      ({ name, value }) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
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
