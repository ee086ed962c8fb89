import { EXPORT_FORMATS, type ExportFormatName } from '@proj/contract';

import type { AnyModels, AttributeName, ModelName } from './models.ts';
import type { MaybeGrouped, Selection } from './query.ts';
import type { RequestOptions } from './request-options.ts';

export type ExportQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Named extends string = string,
> = Pick<
  Selection<Models, Model, Attribute, 'exact', Named>,
  'model' | 'attributes' | 'filter' | 'sort'
>;

export type AnyExportQuery = ExportQuery<AnyModels, string, string> & MaybeGrouped;

export interface ExportFileOptions extends RequestOptions {
  /**
   * `jsonl`: one JSON text a line. `csv`: RFC 4180 with a header line; NULL is an empty field, the
   * empty text `""`. `parquet`: typed columns; a service that does not write it answers 406.
   */
  readonly format: ExportFormatName;
  /** Stands for NULL in CSV, unquoted; an equal text is quoted. @default '' */
  readonly csvNull?: string;
  /**
   * Puts an apostrophe before texts that a spreadsheet would run as formulas, which changes the
   * data; numbers stay.
   *
   * @default false
   */
  readonly csvGuardFormulas?: boolean;
}

/** @throws {TypeError} for an unknown format, or options of another one */
export function readExportFormat({ format, csvNull, csvGuardFormulas }: ExportFileOptions):
  | { readonly format: Exclude<ExportFormatName, 'csv'>; readonly csv: undefined }
  | {
      readonly format: 'csv';
      readonly csv: { readonly null?: string; readonly guardFormulas?: boolean } | undefined;
    } {
  if (!Object.hasOwn(EXPORT_FORMATS, format))
    throw new TypeError('format: expected "jsonl", "csv" or "parquet"');
  const csv = {
    ...(csvNull !== undefined && { null: csvNull }),
    ...(csvGuardFormulas !== undefined && { guardFormulas: csvGuardFormulas }),
  };
  const isSaid = Object.keys(csv).length > 0;
  if (format === 'csv') return { format, csv: isSaid ? csv : undefined };
  if (isSaid) throw new TypeError('csvNull, csvGuardFormulas: go with the format "csv" only');
  return { format, csv: undefined };
}
