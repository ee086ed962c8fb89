import type { CountedTotal, RequestedTotal } from '@proj/client';
import { type Command, InvalidArgumentError } from 'commander';

export function withConnection(command: Command): Command {
  return command
    .option('--url <url>', 'base URL of the service (DYNAMIC_QUERY_URL)')
    .option('--token-file <file>', 'file that holds the access token (DYNAMIC_QUERY_TOKEN)');
}

/** The records, and what of others counts as theirs. */
export function withSelection(command: Command): Command {
  return command
    .option(
      '-f, --filter <expression>',
      'which records, such as "population >= 1000000" or "some visits (year = 2026)"; several ' +
        'must all hold',
      collect,
    )
    .option('--filter-json <tree>', "the contract's filter tree as JSON")
    .option(
      '--related <term>',
      'count or sum up what refers to each record, as an attribute of that name: ' +
        '"orders_count = count orders", "last = max orders.placed_at where amount > 10"',
      collect,
    );
}

export function withTerms(command: Command): Command {
  return withSelection(
    withConnection(command).option(
      '-a, --attributes <names>',
      'attributes, or paths such as country.name, separated by commas or each with its own -a ' +
        '(default: all)',
      joinCommas,
    ),
  )
    .option(
      '--sort <terms>',
      'order, such as -population,name:nulls-first; a further --sort orders what is equal in it',
      joinCommas,
    )
    .option(
      '--at-least <position>',
      "no older state than a position in the database's log, such as that of your own write",
    );
}

export function withList(command: Command): Command {
  return withTerms(command).option(
    '--total <how>',
    'exact, none, or to how many records the total is counted (default: exact)',
    readTotalFlag,
  );
}

export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

export function joinCommas(value: string, previous?: string): string {
  return previous === undefined ? value : `${previous},${value}`;
}

/** `exact`, `none`, or the number of records up to which the total is counted. */
function readTotalFlag(text: string): RequestedTotal {
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

export function wholeNumber(
  minimum: number,
  maximum = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${minimum} to ${maximum}.`);
  };
}
