import { extname } from 'node:path';

import { UsageError } from '../../failure.ts';
import { type FormatName, FORMATS } from './formats.ts';

interface FormatFlags {
  readonly format?: FormatName;
  readonly output?: string;
}

/** THE table of file name endings and their formats. */
const ENDINGS: Readonly<Record<string, FormatName>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.parquet': 'parquet',
  '': 'ndjson',
};

/**
 * What `--format` names, else the ending of the file name, else ndjson.
 *
 * @throws {UsageError} when the ending is of an unknown format, such as `.xlsx`, or of another one
 *   than `--format` names.
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
