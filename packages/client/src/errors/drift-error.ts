import type { DriftReport } from './drift-report.ts';
import { DynamicQueryError } from './dynamic-query-error.ts';

const REASONS = {
  version_changed: 'the version of the data changed',
  total_changed: 'the number of records changed',
  unverifiable: 'the service does not say whether the data changed',
} as const;

/** The data changed during a walk with `onDrift: 'error'`: records may be missing or doubled. */
export class DriftError extends DynamicQueryError {
  override readonly name = 'DriftError';
  readonly report: DriftReport;

  constructor(report: DriftReport) {
    super(describeDrift(report));
    this.report = report;
  }
}

export function describeDrift({ reason, page, total, start }: DriftReport): string {
  const totals =
    total === null || start.total === null
      ? ''
      : ` (page ${page} is of ${total} records, page ${start.page} was of ${start.total})`;
  return (
    `Between page ${start.page} and page ${page} ${REASONS[reason]}${totals}; pages may ` +
    'miss records or repeat them'
  );
}
