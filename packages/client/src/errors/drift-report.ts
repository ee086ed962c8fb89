/**
 * What is known about changes during a walk.
 *
 * - `version_changed`: `Data-Version` differs from the start. No proof: the change may be in
 *   records outside this list, or a server with versions of its own answered.
 * - `total_changed`: the list has another number of records. That is proof.
 * - `unverifiable`: the pages look alike, but the service sends no `Data-Version`: one record may
 *   have gone while another came.
 */
export type DriftReason = 'version_changed' | 'total_changed' | 'unverifiable';

export interface PageState {
  readonly page: number;
  /** Of the list when the page was read; `null` where that was not asked for. */
  readonly total: bigint | null;
  /** `null` when the service sent none. */
  readonly dataVersion: string | null;
}

/** The page at which something was noticed, and the first page, with which it was compared. */
export interface DriftReport extends PageState {
  readonly reason: DriftReason;
  readonly start: PageState;
}
