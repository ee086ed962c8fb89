import type { AnyRecord } from '../../output/any-record.ts';

/** How records become text. All parts, one after the other, are the file. */
export interface Format {
  readonly begin: string;
  /** The records of one page; `earlier` says whether others come before them. */
  records(records: readonly AnyRecord[], earlier: boolean): string;
  readonly end: string;
}
