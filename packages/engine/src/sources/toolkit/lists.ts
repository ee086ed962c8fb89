export { readList } from '../reads/list.ts';
export { CountedLineWriter, LineWriter, readListOnce } from '../whole-list.ts';
export type { ListBeginning, ListCall, ListSink, RecordLines } from '../whole-list.ts';
