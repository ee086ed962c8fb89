import { jsonRecord } from '../../output/json-record.ts';
import type { Format } from './format.ts';

/**
 * One JSON text a line. A file that was cut short looks whole: whoever reads a pipe checks the exit
 * code.
 */
export function ndjsonFormat(attributes: readonly string[]): Format {
  return {
    begin: '',
    records: (records) => records.map((record) => `${jsonRecord(record, attributes)}\n`).join(''),
    end: '',
  };
}
