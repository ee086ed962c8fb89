export { minifyJson } from '../text/minify-json.ts';
export { lackedCharacter, singleByteCharacters } from '../../catalogue/encoding.ts';
export { singleSource } from '../text/single-source.ts';
export type { Encoding } from '../../catalogue/encoding.ts';
export { refusedSql } from '../text/operator-sql.ts';
export type { SqlWords } from '../text/operator-sql.ts';
