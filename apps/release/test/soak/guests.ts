import { tokenOf } from '../support/handed-out-token.ts';
import { BATCH } from './ledger.ts';

/** A caller who may see the first parts of each batch, without its note, while their token lasts. */
export const GUEST = tokenOf('guest');

/** How many parts of a batch a guest sees. */
export const GUEST_PARTS = BATCH / 2;

/** The settings of turn `turn`, in which guests are let in or not. */
export function settingsOf(turn: number): object {
  return {
    expose: 'all',
    models: { ledger: { description: `Turn ${turn}.` } },
    acceleration: { memory_mb: 4 },
    roles: {
      reader: {
        models: {
          ledger: {
            attributes: ['id', 'batch', 'part', 'amount'],
            rows: { attribute: 'part', op: 'lt', value: GUEST_PARTS },
          },
        },
      },
    },
    tokens: turn % 2 === 0 ? [GUEST.entry] : [],
  };
}

/** What a guest was shown and may not see; undefined where there is none. */
export function secretIn(text: string): string | undefined {
  if (text.includes('note')) return 'a guest saw the attribute "note"';
  const part = [...text.matchAll(/"part":(\d+)/g)].find(
    ([, value]) => Number(value) >= GUEST_PARTS,
  );
  return part && `a guest saw ${part[0]}`;
}
