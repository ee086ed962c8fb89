import { DynamicQueryError } from './dynamic-query-error.ts';

/** The server repeats records under new page numbers, or has more pages than `maxPages`. */
export class EndlessListError extends DynamicQueryError {
  override readonly name = 'EndlessListError';
  /** The last page that was read. */
  readonly page: number;

  constructor(page: number, reason: string) {
    super(`Stopped after page ${page}: ${reason}`);
    this.page = page;
  }
}
