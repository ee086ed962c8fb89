import { EXPORT_FORMATS, type ExportFormatName } from '@proj/contract';

import type { AnyModels, AttributeName, ModelName } from './models.ts';
import type { MaybeGrouped, Selection } from './query.ts';
import type { RequestOptions } from './request-options.ts';

/** A whole list of a model's records. */
export type ExportQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Named extends string = string,
> = Pick<
  Selection<Models, Model, Attribute, 'exact', Named>,
  'model' | 'attributes' | 'filter' | 'sort'
>;

/** A list as the code inside reads it, whatever it asks for. */
export type AnyExportQuery = ExportQuery<AnyModels, string, string> & MaybeGrouped;

/** In which form a list is exported. */
export interface ExportFileOptions extends RequestOptions {
  /**
   * `jsonl`: one JSON text a line. `csv`: RFC 4180, with a line of names first; NULL is an empty
   * field and the empty text is `""`. `parquet`: a Parquet file with typed columns; a service that
   * does not write it answers 406.
   */
  readonly format: ExportFormatName;
  /**
   * What stands for NULL in CSV, without quotes; a text that looks the same is quoted.
   *
   * @default ''
   */
  readonly csvNull?: string;
  /**
   * Whether CSV has an apostrophe before texts that a spreadsheet would run as formulas, which
   * changes the data; numbers stay as they are.
   *
   * @default false
   */
  readonly csvGuardFormulas?: boolean;
}

/**
 * How CSV is wanted; undefined for other formats.
 *
 * @throws {TypeError} when the format is none, or the options are not those of the format.
 */
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
