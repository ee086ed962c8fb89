export type Lsn = bigint;

export function parseLsn(text: string): Lsn {
  const [high, low] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export interface WalLayout {
  /** In bytes. */
  readonly pageSize: number;
  readonly segmentSize: number;
}

/** Bytes of headers of pages and segments: https://doxygen.postgresql.org/xlog__internal_8h.html */
const PAGE_HEADER = 24n;
const SEGMENT_HEADER = 40n;

/** After a full page, the insert position is behind the next page's header, and ends no record. */
export function lastRecordEnd(insert: Lsn, { pageSize, segmentSize }: WalLayout): Lsn {
  const inPage = insert % BigInt(pageSize);
  const header = insert % BigInt(segmentSize) < pageSize ? SEGMENT_HEADER : PAGE_HEADER;
  return inPage === header ? insert - inPage : insert;
}
