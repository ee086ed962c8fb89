import { DynamicQueryError } from './dynamic-query-error.ts';

/**
 * An export ended with fewer or more records than the service announced. The `cause` is the error
 * that broke the reply off; absent where the reply ended as if whole.
 */
export class IncompleteExportError extends DynamicQueryError {
  override readonly name = 'IncompleteExportError';
  readonly received: bigint;
  readonly total: bigint;

  constructor(
    count: { readonly received: bigint; readonly total: bigint },
    options?: ErrorOptions,
  ) {
    const { received, total } = count;
    super(`The export is not whole: ${received} of ${total} records came`, options);
    this.received = received;
    this.total = total;
  }
}
