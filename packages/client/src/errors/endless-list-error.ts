import { DynamicQueryError } from './dynamic-query-error.ts';

/**
 * Reading on was given up because the list does not seem to end: the server sends the same records
 * under new page numbers, or says after `maxPages` pages that more follow.
 */
export class EndlessListError extends DynamicQueryError {
  override readonly name = 'EndlessListError';
  /** The number of the last page that was read. */
  readonly page: number;

  constructor(page: number, reason: string) {
    super(`Stopped after page ${page}: ${reason}`);
    this.page = page;
  }
}
