export {
  DEEP_OFFSET,
  isDeep,
  PAGE,
  pageStatement,
  readFromNearerEnd,
  readPages,
  timed,
} from '../reads/page.ts';
export { unversioned } from '../reads/primitives.ts';
export { readInSnapshot, shaped, termsOf } from '../read.ts';
export { numberedRows } from '../numbered-rows.ts';
