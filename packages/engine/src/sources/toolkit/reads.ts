export {
  DEEP_OFFSET,
  PAGE,
  isDeep,
  numberedRows,
  pageStatement,
  readFromNearerEnd,
  readPages,
  timed,
} from '../reads/page.ts';
export { joinedTexts, jsonStatements } from './json-statements.ts';
export { unversioned } from '../reads/snapshot.ts';
export { readInSnapshot, shaped, termsOf } from '../read.ts';
