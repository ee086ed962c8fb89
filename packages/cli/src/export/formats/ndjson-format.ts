import { jsonRecord } from '../../output/json-record.ts';
import type { Format } from './format.ts';

/** A truncated file looks whole: readers of a pipe check the exit code. */
export function ndjsonFormat(attributes: readonly string[]): Format {
  return {
    begin: '',
    records: (records) => records.map((record) => `${jsonRecord(record, attributes)}\n`).join(''),
    end: '',
  };
}
