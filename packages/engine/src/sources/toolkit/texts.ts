export { minifyJson } from '../text/minify-json.ts';
export { singleByteCharacters } from '../text/single-byte-characters.ts';
export { singleSource } from '../text/single-source.ts';
export { lackedCharacter } from '../../catalogue/encoding.ts';
export type { Encoding } from '../../catalogue/encoding.ts';
export { refusedColumn, refusedSelection, varyingCall } from '../text/operator-columns.ts';
export type { OperatorRules } from '../text/operator-columns.ts';
export { plainSql } from '../text/operator-sql.ts';
