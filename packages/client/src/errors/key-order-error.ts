import { DynamicQueryError } from './dynamic-query-error.ts';

/** A walk with `order: 'key'` is not possible for this model and token; the message says why. */
export class KeyOrderError extends DynamicQueryError {
  override readonly name = 'KeyOrderError';
  readonly model: string;

  constructor(model: string, reason: string) {
    super(`${model}: cannot be read in key order: ${reason}. Read it with order "page"`);
    this.model = model;
  }
}
