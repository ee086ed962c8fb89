/**
 * What is known about changes during a walk.
 *
 * - `version_changed`: the service sent another `Data-Version` than at the start. That is evidence
 *   and no proof: the change may be in records that this list does not hold, or another server
 *   with versions of its own answered.
 * - `total_changed`: the list has another number of records than at the start. That is proof.
 * - `unverifiable`: the pages look alike, but the service sends no `Data-Version`, so that a change
 *   cannot be excluded: one record may have gone while another one came.
 */
export type DriftReason = 'version_changed' | 'total_changed' | 'unverifiable';

/** What one page says about the data that it was read from. */
export interface PageState {
  /** Number of the page. */
  readonly page: number;
  /** How many records the list had when the page was read; `null` where that was not asked for. */
  readonly total: bigint | null;
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
