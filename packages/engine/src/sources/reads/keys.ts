import type { KeysStatement } from '../../sql/query-statements.ts';
import type { KeyRows } from '../followed.ts';
import type { Versioned } from './primitives.ts';
import type { ReadRule } from './rule.ts';

/** The last row's key is always there. */
export interface KeysRead extends KeyRows, Versioned {}

export const KEYS: ReadRule<KeysStatement> = {
  termsOf: (keys) => ({ ...keys, session: keys.keys.session }),
  isBackground: true,
};

/** Reads no rows. */
export const SORT: ReadRule<KeysStatement> = {
  termsOf: ({ keys: { session } }) => ({ session }),
  isBackground: true,
};
