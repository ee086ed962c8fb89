import type { CountedTotal, RequestedTotal } from '@proj/client';
import { InvalidArgumentError } from 'commander';

import { wholeNumber } from './whole-number.ts';

/** `exact`, `none`, or the number of records up to which the total is counted. */
export function readTotalFlag(text: string): RequestedTotal {
  return text === 'none' ? text : readTotal(text, 'exact, none or a whole number from 1');
}

/** For a page that is found by a record, whose place is always counted. */
export function readCountedTotalFlag(text: string): CountedTotal {
  return readTotal(text, 'exact or a whole number from 1');
}

function readTotal(text: string, expected: string): CountedTotal {
  if (text === 'exact') return text;
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError(`Expected ${expected}.`);
  return { upTo: wholeNumber(1)(text) };
}
