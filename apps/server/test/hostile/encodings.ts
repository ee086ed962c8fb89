/** Byte sequences that are not UTF-8, each by what is wrong with it (RFC 3629 §3). */
export const NOT_UTF8: readonly (readonly [what: string, bytes: readonly number[]])[] = [
  ['a lone continuation byte', [0x80]],
  ['a start of three bytes without the third', [0xe2, 0x82]],
  ['a start of two bytes before a letter', [0xc3, 0x28]],
  ['an overlong slash of two bytes', [0xc0, 0xaf]],
  ['an overlong quotation mark', [0xc0, 0xa2]],
  ['a high surrogate', [0xed, 0xa0, 0x80]],
  ['a pair of surrogates (CESU-8)', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['a code point past U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['the byte FF', [0xff]],
  ['a letter of Latin-1', [0x63, 0x69, 0x74, 0xe9]],
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
