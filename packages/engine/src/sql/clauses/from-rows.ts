import { type RawBuilder, sql } from 'kysely';

import type { Rows } from '../../planning/list-rows.ts';
import { listedAs } from './column-of.ts';

/** What the rows of a list are selected from. */
export function fromRows({ model }: Rows): RawBuilder<unknown> {
  return listedAs(sql.id(...model.path));
}
