const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/** Counts the records of a file while its bytes pass by. */
export interface RecordCount {
  /** Counts what ends in these bytes, which follow those before. */
  readonly add: (bytes: Uint8Array) => void;
  /** How many records have ended so far. */
  readonly records: () => bigint;
  /** Whether nothing comes after the last of them. */
  readonly isAtEnd: () => boolean;
}

/** Counts JSON lines, in which no JSON text has a line feed. */
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

/** Counts the records of CSV behind the line of names: a quoted field may have line breaks. */
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
