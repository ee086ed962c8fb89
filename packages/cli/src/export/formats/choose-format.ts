import { extname } from 'node:path';

import { UsageError } from '../../failure.ts';
import { type FormatName, FORMATS } from './formats.ts';

/** What says how an export looks. */
interface FormatFlags {
  readonly format?: FormatName;
  readonly output?: string;
}

/** THE table of file name endings and the formats that they mean. */
const ENDINGS: Readonly<Record<string, FormatName>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.parquet': 'parquet',
  '': 'ndjson',
};

/**
 * The format of an export: what `--format` names, else what the name of the file promises, else
 * ndjson.
 *
 * @throws {UsageError} when the name promises a format that is not there, such as `.xlsx`, or
 *   another one than `--format` names.
 */
export function chooseFormat({ format, output = '' }: FormatFlags): FormatName {
  const ending = extname(output).toLowerCase();
  const found = ENDINGS[ending];
  if (format !== undefined) {
    if (ending === '' || found === undefined || found === format) return format;
    throw new UsageError(
      `--format ${format} and --output ${output} name two formats. Leave --format out, or give ` +
        'the file another ending.',
    );
  }
  if (found !== undefined) return found;
  throw new UsageError(
    `--output: no format ends in ${ending}. Name a file that ends in .csv, .ndjson, .json or ` +
      `.parquet, or pass --format ${FORMATS.join('|')}.`,
  );
}
