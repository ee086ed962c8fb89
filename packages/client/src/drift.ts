import { describeDrift, DriftError } from './errors/drift-error.ts';

/**
 * What is known about changes during a walk.
 *
 * - `version_changed`: the service gave another `Data-Version` than at the start. That is evidence
 *   and no proof: the change may be in elements that this list does not hold, or another server
 *   with versions of its own answered.
 * - `total_changed`: the list has another number of elements than at the start. That is proof.
 * - `unverifiable`: the pages look alike, but the service sends no `Data-Version`, so that a change
 *   cannot be excluded: one element may have gone while another one came.
 */
export type DriftReason = 'version_changed' | 'total_changed' | 'unverifiable';

/** What one page tells about the data that it was read from. */
export interface PageState {
  /** Number of the page. */
  readonly page: number;
  /** How many elements the list had when the page was read. */
  readonly total: bigint;
  /** The `Data-Version` of the reply; `null` when the service sent none. */
  readonly dataVersion: string | null;
}

/**
 * The page at which something was noticed, and the first page of the walk, with which it was
 * compared.
 */
export interface DriftReport extends PageState {
  readonly reason: DriftReason;
  /** The first page of the walk. */
  readonly start: PageState;
}

/** What to do about drift: see `WalkOptions.onDrift`. */
export type OnDrift = 'ignore' | 'warn' | 'error' | ((report: DriftReport) => void);

/** As much of a page as is compared. */
interface ComparedPage {
  readonly number: number;
  readonly total: bigint;
  readonly dataVersion: string | null;
}

/**
 * Takes the pages of one walk in order, and tells after each what is known; `null` while nothing
 * can have changed.
 */
export type DriftWatch = (page: ComparedPage) => DriftReason | null;

/**
 * Watches one walk. `onDrift` hears at most twice: once that changes cannot be excluded, and once
 * that there was one.
 *
 * @throws {DriftError} from the watch, as `onDrift` says.
 */
export function watchDrift(onDrift: OnDrift): DriftWatch {
  const handle = typeof onDrift === 'function' ? onDrift : HANDLERS[onDrift];
  let start: PageState | null = null;
  let drift: DriftReason | null = null;
  return ({ number, total, dataVersion }) => {
    const state = { page: number, total, dataVersion };
    start ??= state;
    const reason = compare(start, state);
    // A change is not forgotten because a later page looks like the first one again.
    if (reason === null || reason === drift || (drift !== null && drift !== 'unverifiable'))
      return drift;
    drift = reason;
    handle({ ...state, reason, start });
    return drift;
  };
}

function compare(start: PageState, state: PageState): DriftReason | null {
  if (state === start) return null;
  if (state.total !== start.total) return 'total_changed';
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
