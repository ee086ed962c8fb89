export { minifyJson } from '../text/minify-json.ts';
export { lackedCharacter, singleByteCharacters } from '../../catalogue/encoding.ts';
export { singleSource } from '../text/single-source.ts';
export type { Encoding } from '../../catalogue/encoding.ts';
export { JSON_DATES } from '../text/json-texts.ts';
export { refusedColumn, refusedSelection, varyingCall } from '../text/operator-columns.ts';
export type { OperatorRules } from '../text/operator-columns.ts';
export { calledNames, plainSql } from '../text/operator-sql.ts';
