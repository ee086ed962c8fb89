/** Byte sequences that are not UTF-8, each by what is wrong with it (RFC 3629 §3). */
export const NOT_UTF8: readonly (readonly [what: string, bytes: readonly number[]])[] = [
  ['a lone continuation byte', [0x80]],
  ['the last continuation byte', [0xbf]],
  ['two continuation bytes', [0x80, 0xbf]],
  ['a start of two bytes without the second', [0xc3]],
  ['a start of three bytes without the third', [0xe2, 0x82]],
  ['a start of four bytes without the fourth', [0xf0, 0x9f, 0x98]],
  ['a start of two bytes before a letter', [0xc3, 0x28]],
  ['a start of three bytes before a letter', [0xe2, 0x28, 0xa1]],
  ['a start of four bytes before a letter', [0xf0, 0x28, 0x8c, 0xbc]],
  ['an overlong slash of two bytes', [0xc0, 0xaf]],
  ['an overlong slash of three bytes', [0xe0, 0x80, 0xaf]],
  ['an overlong slash of four bytes', [0xf0, 0x80, 0x80, 0xaf]],
  ['an overlong NUL', [0xc0, 0x80]],
  ['an overlong quotation mark', [0xc0, 0xa2]],
  ['the largest overlong of two bytes', [0xc1, 0xbf]],
  ['a high surrogate', [0xed, 0xa0, 0x80]],
  ['a low surrogate', [0xed, 0xbf, 0xbf]],
  ['a pair of surrogates (CESU-8)', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['a code point past U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['a start of five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ['a start of six bytes', [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80]],
  ['the byte FE', [0xfe]],
  ['the byte FF', [0xff]],
  ['a letter of Latin-1', [0x63, 0x69, 0x74, 0xe9]],
  ['a letter of Windows-1252', [0x93, 0x61, 0x94]],
  ['text in Shift_JIS', [0x8e, 0x73]],
];

/** Where in a body the bytes stand; `%` is their place. */
export const PLACES: readonly (readonly [where: string, template: string])[] = [
  ['the model', '{"query_model":"%","query_attributes":["id"],"page":{"page":1,"size":1}}'],
  [
    'an attribute',
    '{"query_model":"cities","query_attributes":["id","%"],"page":{"page":1,"size":1}}',
  ],
  [
    "a member's name",
    '{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1,"%":1}}',
  ],
  [
    'white space',
    '{"query_model":"cities",% "query_attributes":["id"],"page":{"page":1,"size":1}}',
  ],
  ['the end', '{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1}}%'],
];

/** Bytes in a template's place. */
export function place(template: string, bytes: readonly number[]): Buffer {
  const [before = '', after = ''] = template.split('%');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}
