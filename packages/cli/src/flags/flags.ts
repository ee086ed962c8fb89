import type { Command } from 'commander';

import { readTotalFlag } from './total-flag.ts';

/** Adds to a command the flags that say which service it asks. */
export function withConnection(command: Command): Command {
  return command
    .option('--url <url>', 'base URL of the service (DYNAMIC_QUERY_URL)')
    .option('--token-file <file>', 'file that holds the access token (DYNAMIC_QUERY_TOKEN)');
}

/** Adds to a command the flags of a filter. */
export function withFilter(command: Command): Command {
  return command
    .option(
      '-f, --filter <expression>',
      'which records, such as "population >= 1000000" or "some visits (year = 2026)"; several ' +
        'must all hold',
      collect,
    )
    .option('--filter-json <tree>', "the contract's filter tree as JSON");
}

/** Adds to a command the flags that say which records it reads. */
export function withTerms(command: Command): Command {
  return withFilter(
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

/** The same with the flag that says how much of the total is counted. */
export function withList(command: Command): Command {
  return withTerms(command).option(
    '--total <how>',
    'exact, none, or to how many records the total is counted (default: exact)',
    readTotalFlag,
  );
}

/** The values of a repeated flag. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

/** The values of a repeated flag, as if they were written in one. */
export function joinCommas(value: string, previous?: string): string {
  return previous === undefined ? value : `${previous},${value}`;
}
