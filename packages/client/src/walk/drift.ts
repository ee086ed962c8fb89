import {
  describeDrift,
  DriftError,
  type DriftReason,
  type DriftReport,
  type PageState,
} from '../errors/errors.ts';
import type { PageTotal } from '../options/query.ts';
import type { OnDrift } from '../options/walk-options.ts';

interface ComparedPage {
  readonly number: number;
  readonly total: PageTotal;
  readonly dataVersion: string | null;
  readonly dataAge: number | null;
}

/** Takes the pages of one walk in order; `null` while nothing can have changed. */
export type DriftWatch = (page: ComparedPage) => DriftReason | null;

/**
 * Calls `onDrift` at most twice: when changes cannot be excluded, and when there was one.
 *
 * @throws {DriftError} from the watch, as `onDrift` says.
 */
export function watchDrift(onDrift: OnDrift): DriftWatch {
  const handle = typeof onDrift === 'function' ? onDrift : HANDLERS[onDrift];
  let start: PageState | null = null;
  let drift: DriftReason | null = null;
  let comesFromReplica = false;
  return ({ number, total, dataVersion, dataAge }) => {
    const state = { page: number, total, dataVersion };
    start ??= state;
    comesFromReplica ||= dataAge !== null && dataAge > 0;
    const found = compare(start, state);
    // Replicas have versions of their own: two may differ for the same data.
    const reason = found === 'version_changed' && comesFromReplica ? 'unverifiable' : found;
    // A later page that looks like the first one does not undo a change.
    if (reason === null || reason === drift || (drift !== null && drift !== 'unverifiable'))
      return drift;
    drift = reason;
    handle({ ...state, reason, start });
    return drift;
  };
}

function compare(start: PageState, state: PageState): DriftReason | null {
  if (state === start) return null;
  const areKnown = state.total !== null && start.total !== null;
  if (areKnown && state.total !== start.total) return 'total_changed';
  if (state.dataVersion === null || start.dataVersion === null) return 'unverifiable';
  return state.dataVersion === start.dataVersion ? null : 'version_changed';
}

const HANDLERS: Record<'ignore' | 'warn' | 'error', (report: DriftReport) => void> = {
  ignore: () => undefined,
  warn: (report) => {
    if (report.reason !== 'unverifiable') console.warn(describeDrift(report));
  },
  error: (report) => {
    if (report.reason !== 'unverifiable') throw new DriftError(report);
  },
};
