import type { KeysStatement } from '../../sql/query-statements.ts';
import type { KeyRows } from '../followed.ts';
import type { Versioned } from './primitives.ts';
import type { ReadRule } from './rule.ts';

/** What a statement of keys has read. The key of the last row is always there. */
export interface KeysRead extends KeyRows, Versioned {}

/** Keys, beside the queries of callers. */
export const KEYS: ReadRule<KeysStatement> = {
  termsOf: (keys) => ({ ...keys, session: keys.keys.session }),
  isBackground: true,
};

/** What reading keys would sort; it reads no rows. */
export const SORT: ReadRule<KeysStatement> = {
  termsOf: ({ keys: { session } }) => ({ session }),
  isBackground: true,
};
