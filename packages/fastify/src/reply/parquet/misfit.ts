import { HttpProblem } from '../../endpoint/problems.ts';

/** Values do not belong in logs. */
export function misfit(attribute: string): HttpProblem {
  return new HttpProblem(
    'data_error',
    `The attribute ${JSON.stringify(attribute)} has a value that its column of a Parquet file ` +
      'cannot hold. Export it as CSV or JSON lines, or leave such values out by a filter.',
  );
}
