import { jsonRecord } from '../../output/json-record.ts';
import type { Format } from './format.ts';

/** One array, closed at the very end, so that a truncated file is not JSON. */
export function jsonFormat(attributes: readonly string[]): Format {
  return {
    begin: '[',
    records: (records, earlier) =>
      records
        .map(
          (record, index) =>
            `${earlier || index > 0 ? ',' : ''}\n${jsonRecord(record, attributes)}`,
        )
        .join(''),
    end: '\n]\n',
  };
}
