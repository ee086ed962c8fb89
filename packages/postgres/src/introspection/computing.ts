import type { Source } from '@proj/engine/database';

import { describeComputed } from './computed-columns.ts';
import { jsonPlace } from './json-places.ts';
import type { Asking } from './operator-sql.ts';
import { describeSelection } from './selections.ts';

/** Describes SQL of the settings, each text in transactions of its own. */
export function computing(
  inTransaction: Asking['inTransaction'],
): Required<Pick<Source, 'describe' | 'describeSelection' | 'jsonPlace'>> {
  return {
    jsonPlace,
    describe: (columns, roles) => describeComputed(columns, { inTransaction, roles }),
    describeSelection: (selection, roles) => describeSelection(selection, { inTransaction, roles }),
  };
}
