import type { AnyRecord } from '../../output/any-record.ts';

/** All parts, one after the other, are the file. */
export interface Format {
  readonly begin: string;
  /** @param earlier whether other records come before this page */
  records(records: readonly AnyRecord[], earlier: boolean): string;
  readonly end: string;
}
