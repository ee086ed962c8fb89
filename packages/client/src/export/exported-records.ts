import { InvalidReplyError } from '../errors/invalid-reply-error.ts';
import { describeValue } from '../errors/describe-value.ts';
import { checkRecord } from '../query/check-reply.ts';
import { parseJson } from '../http/parse-json.ts';

export interface LineTerms {
  readonly attributes: readonly string[];
  /** In characters. */
  readonly maxLength: number;
}

/** @throws {InvalidReplyError} when a line is no record with these attributes, or too long */
export async function* recordsOfLines(
  pieces: AsyncIterable<Uint8Array>,
  { attributes, maxLength }: LineTerms,
): AsyncGenerator<object[], void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  for await (const bytes of pieces) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLength) throw tooLong(number, maxLength);
    yield lines.map((line) => readRecord(line, number++, attributes));
  }
}

function readRecord(line: string, index: number, attributes: readonly string[]): object {
  const pointer = `/${index}`;
  const record = parseJson(line, { pointer, within: ' in each line' });
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw new InvalidReplyError({ pointer, expected: 'a record', got: describeValue(record) });
  checkRecord(pointer, record, attributes);
  return record;
}

function tooLong(index: number, limit: number): InvalidReplyError {
  const expected = `a line of at most ${limit} characters (maxReplyBytes)`;
  return new InvalidReplyError({ pointer: `/${index}`, expected, got: 'more' });
}
