/** Text of the operator, in the database's words, already of the column's type. */
export interface SqlValue {
  readonly sql: string;
  /** Whether it depends on its row's columns alone, as the settings promise. */
  readonly isOfRow: boolean;
  /** Columns that it reads, where it is computed after a page is cut. Default: before. */
  readonly reads?: readonly string[];
}

/** What statements compute where they name a column that is not stored. */
export type ComputedValue = SqlValue;

/** Whether rows with it have the version of the models that they read. */
export function hasVersion(value: ComputedValue): boolean {
  return value.isOfRow;
}
