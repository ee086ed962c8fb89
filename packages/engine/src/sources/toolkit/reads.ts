export { BOUNDED, boundedRows, boundedStatement, needsCount } from '../reads/bounded.ts';
export { DEEP_OFFSET, PAGE, readFromNearerEnd, readPages } from '../reads/page.ts';
export { unversioned } from '../reads/primitives.ts';
export { placeOfRecord } from '../reads/record.ts';
export { readInSnapshot, shaped, termsOf } from '../read.ts';
export { numberedRows } from '../numbered-rows.ts';
