/** A position in the write-ahead log. */
export type Lsn = bigint;

/** Reads a position such as `16/B374D848`. */
export function parseLsn(text: string): Lsn {
  const [high, low] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** How the log is divided. */
export interface WalLayout {
  /** Bytes of a page. */
  readonly pageSize: bigint;
  /** Bytes of a segment. */
  readonly segmentSize: bigint;
}

/**
 * The bytes before the first record of a page, and of the first page of a segment:
 * https://doxygen.postgresql.org/xlog__internal_8h.html
 */
const PAGE_HEADER = 24n;
const SEGMENT_HEADER = 40n;

/**
 * The end of the last record before a position at which the next would be inserted. Where a record
 * ends with its page the two differ by the header of the next page, which no record follows as long
 * as the server is idle.
 */
export function lastRecordEnd(insert: Lsn, { pageSize, segmentSize }: WalLayout): Lsn {
  const inPage = insert % pageSize;
  const header = insert % segmentSize < pageSize ? SEGMENT_HEADER : PAGE_HEADER;
  return inPage === header ? insert - inPage : insert;
}
