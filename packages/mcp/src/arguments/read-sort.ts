import type { Sort } from '@proj/client';

import { ToolError } from '../errors/explain.ts';

const TERM =
  /^(?<minus>-?)(?<name>.+?)(?:\s+(?<way>asc|desc))?(?:\s+nulls\s+(?<nulls>first|last))?$/i;

/**
 * The order that terms such as `population desc nulls last`, or `-population`, ask for.
 *
 * @throws {ToolError} when a term is empty.
 */
export function readSort(terms: readonly string[] | undefined): Sort[] | undefined {
  return terms?.map((term) => {
    const { minus, name, way, nulls } = TERM.exec(term.trim())?.groups ?? {};
    if (name === undefined)
      throw new ToolError(`sort: expected terms such as "population desc"; got "${term}".`);
    const isDown = minus === '-' || way?.toLowerCase() === 'desc';
    return {
      attribute: name,
      direction: isDown ? 'desc' : 'asc',
      ...(nulls && { nulls: nulls.toLowerCase() === 'first' ? 'first' : 'last' }),
    };
  });
}
