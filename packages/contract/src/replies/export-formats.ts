/** THE table of the forms in which a whole list can be exported, by their short names. */
export const EXPORT_FORMATS = {
  jsonl: {
    type: 'application/jsonl',
    meaning: 'One record a line, as JSON: as in `result` of a page (https://jsonlines.org).',
    isText: true,
  },
  csv: {
    type: 'text/csv',
    meaning:
      'A line with the names of the attributes, then one for each record (RFC 4180). ' +
      'NULL is an empty field, the empty text is `""`; arrays and objects are JSON.',
    isText: true,
  },
  parquet: {
    type: 'application/vnd.apache.parquet',
    meaning:
      'A Parquet file with a column for each attribute, of its type. The file can be read only ' +
      'where all records have come, since its footer comes last.',
    isText: false,
  },
} as const satisfies Readonly<Record<string, ExportFormatFacts>>;

/** What is known of a form of export. */
interface ExportFormatFacts {
  /** The media type that asks for it, and that the reply has. */
  readonly type: string;
  /** What the file holds, for people. */
  readonly meaning: string;
  /** Whether it is a text, in which records can be counted as they pass by. */
  readonly isText: boolean;
}

/** The short name of a form of export. */
export type ExportFormatName = keyof typeof EXPORT_FORMATS;

/** The media type of a form of export. */
export type ExportType = (typeof EXPORT_FORMATS)[ExportFormatName]['type'];

/** Statuses of a server without exports. */
export const NO_EXPORTS: ReadonlySet<number> = new Set([404, 405]);

/** Those, and the statuses of something on the way that lets no export pass. */
export const EXPORTS_UNREACHABLE: ReadonlySet<number> = new Set([...NO_EXPORTS, 406, 501, 505]);
