export { minifyJson } from '../text/minify-json.ts';
export { singleByteCharacters } from '../text/single-byte-characters.ts';
export { singleSource } from '../text/single-source.ts';
export { lackedCharacter } from '../../catalogue/encoding.ts';
export type { Encoding } from '../../catalogue/encoding.ts';
export { refusedSql } from '../text/operator-sql.ts';
export type { SqlWords } from '../text/operator-sql.ts';
