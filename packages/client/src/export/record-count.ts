const LINE_FEED = 0x0a;
const QUOTE = 0x22;

export interface RecordCount {
  readonly add: (bytes: Uint8Array) => void;
  readonly records: () => bigint;
  /** Whether nothing follows the last record. */
  readonly isAtEnd: () => boolean;
}

/** JSON text has no line feed. */
export function countJsonLines(): RecordCount {
  let lines = 0;
  let last = LINE_FEED;
  return {
    add: (bytes) => {
      for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1))
        lines += 1;
      last = bytes.at(-1) ?? last;
    },
    records: () => BigInt(lines),
    isAtEnd: () => last === LINE_FEED,
  };
}

/** Without the line of names; a quoted field may have line breaks. */
export function countCsvRecords(): RecordCount {
  let lines = 0;
  let isQuoted = false;
  let last = 0;
  return {
    add: (bytes) => {
      for (const byte of bytes) {
        // A quote within a quoted field is doubled, and so changes nothing.
        if (byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) lines += 1;
      }
      last = bytes.at(-1) ?? last;
    },
    records: () => BigInt(Math.max(0, lines - 1)),
    isAtEnd: () => !isQuoted && lines > 0 && last === LINE_FEED,
  };
}

/** `PAR1`, at both ends of a Parquet file. */
const PARQUET_MARK = 0x31_52_41_50;

/** A mark, a footer, its length and the mark again. */
const LEAST_PARQUET = 12;

/**
 * Knows only whether a Parquet file has its end: its writer counts the records before writing that.
 *
 * @param total how many records there are then
 */
export function countParquet(total: bigint): RecordCount {
  let length = 0;
  let end = new Uint8Array();
  const isAtEnd = (): boolean => {
    if (length < LEAST_PARQUET) return false;
    const view = new DataView(end.buffer, end.byteOffset, end.byteLength);
    const footer = view.getUint32(0, true);
    return view.getUint32(4, true) === PARQUET_MARK && footer + LEAST_PARQUET <= length;
  };
  return {
    add: (bytes) => {
      length += bytes.length;
      const known = new Uint8Array(end.length + Math.min(bytes.length, 8));
      known.set(end);
      known.set(bytes.subarray(-8), end.length);
      end = known.slice(-8);
    },
    records: () => (isAtEnd() ? total : 0n),
    isAtEnd,
  };
}
