import type { ModelEntry } from '@proj/client';

import { RowError } from '../errors/row-error.ts';
import type { Row } from './client.ts';
import { keyOf, rowIdOf } from './row-id.ts';

/** A record that has its id in the member `id`, where react-admin and Refine look for it. */
export interface RecordWithId extends Row {
  readonly id: string | number;
}

/**
 * Gives a record the member `id`. A key that is the attribute `id` alone stays as it is.
 *
 * @throws {RowError} where `id` is an attribute that is not the key.
 */
export function recordWithId(model: ModelEntry, row: Row): RecordWithId {
  const key = keyOf(model);
  const own = row['id'];
  if (key.length === 1 && key[0] === 'id')
    return { ...row, id: typeof own === 'number' ? own : rowIdOf(model, row) };
  if (!Object.hasOwn(row, 'id')) return { ...row, id: rowIdOf(model, row) };
  throw new RowError(
    400,
    `${model.name} has an attribute "id" that is not its key, ${key.join(', ')}, and the grid ` +
      'knows records by a member of this name. Leave it out of `attributes`.',
  );
}
