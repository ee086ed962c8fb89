export type {
  AskedColumn,
  AskedSelection,
  DescribedColumn,
  DescribedSelection,
  Refused,
} from '../../catalogue/described-column.ts';
export { keysOf, keysShown, withKeys } from '../../catalogue/keys.ts';
export type { UniqueIndex } from '../../catalogue/keys.ts';
export { judgeOnce, withFacts } from '../introspection.ts';
