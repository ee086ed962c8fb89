import { bytesInName, QUERY, withAttributes, withFilter, withPage } from '../bodies.ts';
import { demandItems, demandReply } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import type { Service } from '../../support/service.ts';

/** A body that is refused, and the codes of which the problem has one. */
type Refused = readonly [body: string | Uint8Array<ArrayBuffer>, ...codes: string[]];

/** A row of bodies that are refused one after another. */
function refusing(name: string, fault: string, refused: readonly Refused[]): FaultRow {
  const run = async (service: Service): Promise<void> => {
    for (const [body, ...codes] of refused) demandReply(await service.send(body), 400, ...codes);
    await demandItems(service);
  };
  return {
    name,
    fault,
    expected: '400 with the code of the fault; the next query is answered',
    run: async ({ shared }) => run(await shared()),
  };
}

/** Bodies that no caller should send. */
export const REFUSED_BODIES: readonly FaultRow[] = [
  refusing('nested JSON', 'JSON nested half a million deep, or as deep as the body may be long', [
    ['['.repeat(60_000), 'too_deep', 'malformed_json'],
    [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 'too_deep'],
  ]),
  refusing('duplicate member', 'a member named twice, once in escapes', [
    [QUERY.replace('{', '{"query_model":"others",'), 'duplicate_key'],
    [QUERY.replace('{', String.raw`{"\u0071uery_model":"others",`), 'duplicate_key'],
  ]),
  refusing('names of JavaScript', 'members and names that JavaScript objects have of themselves', [
    [
      QUERY.replace('{', '{"__proto__":{"x":1},'),
      'unknown_member',
      'malformed_json',
      'invalid_request',
    ],
    [QUERY.replace('{', '{"constructor":1,'), 'unknown_member'],
    [QUERY.replace('items', '__proto__'), 'unknown_model'],
    [withAttributes('["constructor"]'), 'unknown_attribute'],
    [withAttributes('["hasOwnProperty"]'), 'unknown_attribute'],
  ]),
  refusing('invalid UTF-8', 'bytes that are no UTF-8', [
    [bytesInName(0xff), 'invalid_encoding'],
    [bytesInName(0xc0, 0xaf), 'invalid_encoding'],
    [bytesInName(0xed, 0xa0, 0x80), 'invalid_encoding'],
    [Uint8Array.from(Buffer.from(QUERY, 'utf16le')), 'invalid_encoding', 'malformed_json'],
  ]),
  refusing('lone surrogates', 'halves of surrogate pairs in names and values', [
    [QUERY.replace('items', String.raw`\ud800`), 'invalid_text'],
    [withAttributes(String.raw`["\udc00"]`), 'invalid_text'],
    [withFilter('"name"', String.raw`"\ud800"`), 'invalid_text', 'invalid_value'],
  ]),
  refusing(
    'pages that are no page',
    'pages and sizes that are no whole number from 1 to 2^53 − 1',
    [
      ...['9007199254740992', '1e308', '1e400', '-0', '0', '-1', '1.5'].map((page): Refused => [
        withPage(page),
        'out_of_range',
        'invalid_type',
        'malformed_json',
      ]),
      ...['"1"', 'true', 'null', '[]', '{}'].map((page): Refused => [
        withPage(page),
        'invalid_type',
        'missing_member',
        'invalid_request',
      ]),
      ['{"query_model":"items","query_attributes":["id"],"page":{"size":5}}', 'missing_member'],
      ['{"query_model":"items","query_attributes":["id"]}', 'missing_member'],
    ],
  ),
  refusing('sizes out of range', 'a size of 0, and one above the largest', [
    [withPage('1', '0'), 'out_of_range'],
    [withPage('1', '1001'), 'size_too_large'],
  ]),
  refusing('attribute lists', 'attribute lists that are empty, too long, or name one twice', [
    [withAttributes('[]'), 'no_attributes'],
    [withAttributes('["id","id"]'), 'duplicate_attribute'],
    [withAttributes('["ID"]'), 'unknown_attribute'],
    [
      withAttributes(`[${Array.from({ length: 201 }, (_, index) => `"a${index}"`).join(',')}]`),
      'too_many_attributes',
      'invalid_request',
    ],
  ]),
  refusing('NUL in names', 'a NUL in the name of a model, in escapes and as it is', [
    [QUERY.replace('items', String.raw`it\u0000ems`), 'invalid_text'],
    [QUERY.replace('items', 'it\u0000ems'), 'malformed_json'],
  ]),
  refusing('mistyped filters', 'filter values of another type than the attribute', [
    [withFilter('"id"', '"1abc"'), 'invalid_value'],
    [withFilter('"id"', 'true'), 'invalid_value'],
    [withFilter('"name"', '1'), 'invalid_value'],
  ]),
];
