import type { Sort } from '@proj/client';

import { UsageError } from './failure.ts';

const TERM = /^(-?)(.+?)(?::nulls-(first|last))?$/u;

/**
 * Reads `-population,name:nulls-first`: a minus for the largest first, and where NULL goes.
 *
 * @throws {UsageError} when a term is empty.
 */
export function readSort(text: string): Sort[] {
  return text.split(',').map((term) => {
    const [, minus, attribute, nulls] = TERM.exec(term.trim()) ?? [];
    if (attribute === undefined || attribute.startsWith(':')) {
      throw new UsageError(
        `--sort: expected attributes such as -population,name:nulls-first; got "${text}".`,
      );
    }
    const direction = minus === '-' ? 'desc' : 'asc';
    return nulls === 'first' || nulls === 'last'
      ? { attribute, direction, nulls }
      : { attribute, direction };
  });
}
