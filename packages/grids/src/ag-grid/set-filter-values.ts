import { columnValues, type FacetsClient } from '../reading/column-values.ts';

/** What the values of AG Grid's set filters are read with. */
export interface SetFilterOptions {
  /** Name of the data model. */
  readonly model: string;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called where the values cannot be read; the filter has none then.
   *
   * @default console.error
   */
  readonly onError?: (error: unknown) => void;
}

/** As much of `SetFilterValuesFuncParams` as is used. */
export interface SetFilterParams {
  readonly colDef: { readonly field?: string | undefined };
  success(values: (string | null)[]): void;
}

/**
 * The values of AG Grid's set filters (`filterParams.values`): all that the column has, in any
 * record, and of arrays their elements. Set `caseSensitive` in the filter's parameters: without it
 * `a` and `A` are one entry, and at most 50 texts with letters can be chosen.
 */
export function setFilterValues(
  client: FacetsClient,
  { model, signal, onError = console.error }: SetFilterOptions,
): (params: SetFilterParams) => void {
  const read = async ({ field = '' }: SetFilterParams['colDef']): Promise<(string | null)[]> => {
    const values = await columnValues(client, { model, attribute: field, signal });
    const entries = values.flatMap(({ value }) => itemsOf(value));
    const texts = entries.map((value) => (value === null ? null : textOf(value) || null));
    // NULL and the empty text are one entry, "(Blanks)".
    return [...new Set(texts)];
  };
  return (params) => {
    const give = (values: (string | null)[]): void => params.success(values);
    void read(params.colDef).then(give, (error: unknown) => {
      onError(error);
      give([]);
    });
  };
}

function itemsOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [value];
  return value.flat(Infinity).filter((item) => item !== null);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
