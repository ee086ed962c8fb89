/** THE table of export formats, by short name. */
export const EXPORT_FORMATS = {
  jsonl: { type: 'application/jsonl' },
  csv: { type: 'text/csv' },
  parquet: { type: 'application/vnd.apache.parquet' },
} as const satisfies Readonly<Record<string, ExportFormatFacts>>;

/** What is known of a form of export. */
interface ExportFormatFacts {
  /** The media type that asks for it, and that the reply has. */
  readonly type: string;
}

/** The short name of a form of export. */
export type ExportFormatName = keyof typeof EXPORT_FORMATS;

/** The media type of a form of export. */
export type ExportType = (typeof EXPORT_FORMATS)[ExportFormatName]['type'];

/** Statuses of a server without exports. */
export const NO_EXPORTS: ReadonlySet<number> = new Set([404, 405]);

/** Those, and the statuses of proxies that let no export pass. */
export const EXPORTS_UNREACHABLE: ReadonlySet<number> = new Set([...NO_EXPORTS, 406, 501, 505]);
