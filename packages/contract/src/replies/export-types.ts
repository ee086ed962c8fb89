/** In which forms a whole list can be exported, by the media type that asks for each. */
export const EXPORT_TYPES = {
  /** One JSON text a line, as in `result` of a page (https://jsonlines.org). */
  jsonLines: 'application/jsonl',
  /** A line with the names of the attributes, then one for each record (RFC 4180). */
  csv: 'text/csv',
} as const;

/** Statuses of a server without exports. */
export const NO_EXPORTS: ReadonlySet<number> = new Set([404, 405]);

/** Those, and the statuses of something on the way that lets no export pass. */
export const EXPORTS_UNREACHABLE: ReadonlySet<number> = new Set([...NO_EXPORTS, 406, 501, 505]);
