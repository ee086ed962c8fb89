import type { ModelEntry } from './catalogue.ts';

/** Why a caller cannot name records, and the operator's remedy. */
export interface NoKey {
  /** Ends a sentence about the model. */
  readonly reason: string;
  /** Ends a sentence that begins with “An operator can”. */
  readonly remedy: string;
}

/** THE table of why the `key` of a model is empty. */
export const NO_KEY = {
  not_visible: {
    reason: 'the token does not see every part of its key',
    remedy: 'let the role see every attribute of the key',
  },
  stored_dates: {
    reason: 'a part of its key is a date, which SQLite may store in several forms',
    remedy: 'declare another `key` for the model, or `type: text` for the date',
  },
  empty_label: {
    reason: 'a part of its key has an empty label, which MariaDB also shows for what is no label',
    remedy: 'declare another `key` for the model, or rename the label',
  },
} as const satisfies Record<string, NoKey>;

/** A word of the table. */
export type NoKeyReason = keyof typeof NO_KEY;

const UNKNOWN: NoKey = {
  reason: 'the token sees no whole key of it',
  remedy: 'let the role see every attribute of the key',
};

/** An older server gives no reason, and a newer one may have more. */
export function noKeyOf({ no_key: word }: Pick<ModelEntry, 'no_key'>): NoKey {
  const known: ReadonlyMap<string | undefined, NoKey> = new Map(Object.entries(NO_KEY));
  return known.get(word) ?? UNKNOWN;
}
