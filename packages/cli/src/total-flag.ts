import type { RequestedTotal } from '@proj/client';
import { InvalidArgumentError } from 'commander';

import { wholeNumber } from './whole-number.ts';

/** Reads `--total`: `exact`, `none`, or to how many records the total is counted. */
export function readTotalFlag(text: string): RequestedTotal {
  if (text === 'exact' || text === 'none') return text;
  if (!/^\d+$/.test(text))
    throw new InvalidArgumentError('Expected exact, none or a whole number from 1.');
  return { upTo: wholeNumber(1)(text) };
}
