import { DynamicQueryError } from './dynamic-query-error.ts';

/**
 * An export ended before all of its records had come, or with more of them than the service had
 * said: what was received is not the list. The `cause` is the error by which the reply broke off;
 * it is absent where the reply ended as if it were whole.
 */
export class IncompleteExportError extends DynamicQueryError {
  override readonly name = 'IncompleteExportError';
  /** How many records came. */
  readonly received: bigint;
  /** How many the list has. */
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
