import { Texts } from '@proj/engine/database';

const BASIC_PLANE = '\u0080-\uffff';

const CHARACTERS: Readonly<Record<string, () => string>> = {
  ascii: () => '',
  latin1: () => `${Texts.singleByteCharacters('windows-1252')}\u0081\u008d\u008f\u0090\u009d`,
  utf8: () => BASIC_PLANE,
  utf8mb3: () => BASIC_PLANE,
  ucs2: () => BASIC_PLANE,
  latin2: () => Texts.singleByteCharacters('iso-8859-2'),
  cp1250: () => Texts.singleByteCharacters('windows-1250'),
  cp1257: () => Texts.singleByteCharacters('windows-1257'),
  cp1251: () => Texts.singleByteCharacters('windows-1251'),
  koi8r: () => Texts.singleByteCharacters('koi8-r'),
};

/** For collations that lack known characters; not for sets mixing one and two bytes a character. */
export function encodingOf(collation: string): Texts.Encoding | undefined {
  const [name = ''] = collation.split('_');
  const characters = CHARACTERS[name]?.();
  return characters === undefined ? undefined : { name, characters };
}
