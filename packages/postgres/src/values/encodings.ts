import { Texts } from '@proj/engine/database';

import { textLiteral } from './sql-text.ts';

/** Single-byte encodings, by their names in the Encoding Standard. */
const LABELS: Readonly<Record<string, string>> = {
  LATIN2: 'iso-8859-2',
  LATIN3: 'iso-8859-3',
  LATIN4: 'iso-8859-4',
  LATIN6: 'iso-8859-10',
  LATIN7: 'iso-8859-13',
  LATIN8: 'iso-8859-14',
  LATIN9: 'iso-8859-15',
  LATIN10: 'iso-8859-16',
  ISO_8859_5: 'iso-8859-5',
  ISO_8859_6: 'iso-8859-6',
  ISO_8859_7: 'iso-8859-7',
  ISO_8859_8: 'iso-8859-8',
  KOI8R: 'koi8-r',
  KOI8U: 'koi8-u',
  WIN1250: 'windows-1250',
  WIN1251: 'windows-1251',
  WIN1252: 'windows-1252',
  WIN1253: 'windows-1253',
  WIN1254: 'windows-1254',
  WIN1255: 'windows-1255',
  WIN1256: 'windows-1256',
  WIN1257: 'windows-1257',
  WIN1258: 'windows-1258',
  WIN866: 'ibm866',
  WIN874: 'windows-874',
};

const OTHERS: Readonly<Record<string, string>> = {
  LATIN1: '\u0080-\u00ff',
  LATIN5: '\u0080-\u00cf\u00d1-\u00dc\u00df-\u00ef\u00f1-\u00fc\u00ffĞğİıŞş',
};

const DIFFERENCES: Readonly<Record<string, { lacks: RegExp; has: string }>> = {
  KOI8U: { lacks: /[Ўў]/g, has: '╝╬' },
  WIN1255: { lacks: /\u05ba/g, has: '' },
};

/** For `server_encoding`s of one byte that lack characters. `SQL_ASCII` takes any bytes. */
export function encodingOf(name: string): Texts.Encoding | undefined {
  const label = LABELS[name];
  const { lacks = /^$/, has = '' } = DIFFERENCES[name] ?? {};
  const shared = label && Texts.singleByteCharacters(label).replace(lacks, '') + has;
  const characters = OTHERS[name] ?? shared;
  return characters === undefined ? undefined : { name, characters };
}

const PAIRS = String.raw`\\ud[89ab]..\\ud[c-f]..`;

/** SQL: reading a `json`, unlike a `jsonb`, fails at escapes that are no characters here. */
export function hasOnlyCharacters(json: string, encoding: Texts.Encoding | undefined): string {
  const others = String.raw`\\\\` + (encoding === undefined ? `|${PAIRS}` : '');
  const plain = `regexp_replace(${json}::text, ${textLiteral(others)}, 'x', 'gi')`;
  return `${plain} !~* ${encoding === undefined ? escapes('d[89a-f]') : escapesLackedBy(encoding)}`;
}

function escapesLackedBy({ characters }: Texts.Encoding): string {
  const held = CHARACTERS.match(new RegExp(`[${characters}]`, 'g')) ?? [];
  const codes = held.map((one) => one.charCodeAt(0).toString(16).padStart(4, '0'));
  // Before PostgreSQL 13, none beyond ASCII is read.
  return `case when current_setting('server_version_num') < '13' then ${escapes('(?!00[0-7])')}
    else ${escapes(`(?!00[0-7]|${codes.join('|')})`)} end`;
}

function escapes(codes: string): string {
  return textLiteral(String.raw`\\u(0000|${codes})`);
}

/** None of the encodings has any beyond. */
const CHARACTERS = String.fromCharCode(...Array.from({ length: 0x3000 }, (_, code) => code));
