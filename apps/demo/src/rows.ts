/** Rows on their way into a table: values in the order of the columns. */
export interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly (string | number | null)[]>;
  /** How many rows there are. */
  readonly count: number;
}

/** `NULL` for a text that says nothing. */
export function textOrNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
