import { readFileSync, writeFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { RELIED_VARIABLES, type ReliedVariable } from '../../mysql/src/connection/settings.ts';
import { RELIED_SETTINGS, type ReliedSetting } from '../../postgres/src/connection/settings.ts';

const PAGE = new URL('../../../docs/reference/session-settings.md', import.meta.url);

const PLACES: Readonly<Record<ReliedSetting['place'], string>> = {
  reading: 'connections that read',
  everywhere: 'connections that read, and the feed',
  'own session': 'sessions without a pooler; behind one, `begin` sets it',
};

const SERVERS: Readonly<Record<ReliedVariable['neededOn'], string>> = {
  all: 'no connection',
  MariaDB: 'no connection to MariaDB; others are left as they are',
  MySQL: 'is left as it is; MariaDB is not asked',
  none: 'is left as it is',
};

const TABLES = [
  {
    product: 'PostgreSQL',
    head: ['setting', 'value', 'set for', 'why'],
    rows: RELIED_SETTINGS.map(({ name, value, place, why }) => [
      `\`${name}\``,
      value === undefined ? 'as the session began' : `\`${value}\``,
      PLACES[place],
      why,
    ]),
  },
  {
    product: 'MySQL and MariaDB',
    head: ['variable', 'value', 'where it is refused', 'why'],
    rows: RELIED_VARIABLES.map(({ name, value, neededOn, why }) => [
      `\`${name}\``,
      `\`${value}\``,
      SERVERS[neededOn],
      why.replaceAll('||', String.raw`\|\|`),
    ]),
  },
];

it.each(TABLES)(
  'docs/reference/session-settings.md has the settings of $product that the code makes; UPDATE_DOCS=1 writes them, to be formatted',
  ({ product, head, rows }) => {
    const part = new RegExp(
      `(?<=<!-- Settings of ${product}:[^\\n]*-->\\n\\n)\\|.*?\\n(?=\\n)`,
      's',
    );
    const table = [head, head.map(() => '-'), ...rows];
    const made = table.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
    const page = readFileSync(PAGE, 'utf8');
    if (process.env['UPDATE_DOCS'] === '1')
      writeFileSync(
        PAGE,
        page.replace(part, () => made),
      );
    const written = part.exec(readFileSync(PAGE, 'utf8'))?.[0] ?? '';
    expect(unpadded(written)).toBe(unpadded(made));
  },
);

/** A table without what only makes its columns straight. */
function unpadded(table: string): string {
  return table.replaceAll(/ +/g, ' ').replaceAll(/-{2,}/g, '-');
}
