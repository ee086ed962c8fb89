export { minifyJson, JSON_TEXTS } from '../text/json-texts.ts';
export { lackedCharacter, singleByteCharacters, type Encoding } from '../../catalogue/field.ts';
export { singleSource, type SingleSource } from '../text/single-source.ts';
export {
  failed,
  otherType,
  refusedColumn,
  refusedSelection,
  sqlOf,
  statementsOf,
  tried,
  varyingCall,
} from '../text/operator-sql.ts';
export type { OperatorRules, PlacedSql } from '../text/operator-sql.ts';
export { calledNames, plainSql } from '../text/operator-sql.ts';
