import type { Connection } from './connection/connection.ts';
import { isPrivilegeMissing } from './connection/errors.ts';

const WRITES =
  /^(ALL PRIVILEGES|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|FILE|SUPER|TRIGGER|EVENT)\b/;

export async function accountWarnings(connection: Connection): Promise<string[]> {
  const [[account, database] = []] = await connection.command('select current_user(), database()');
  const grants = (await connection.command('show grants')).map(([grant]) => String(grant));
  const whose = `The database account ${String(account)}`;
  const own = grants.filter((grant) => !isForEverybodyElsewhere(grant, String(database)));
  const rights = [...new Set(own.flatMap(writingRights))].join(', ');
  return [
    ...(rights === '' ? [] : [`${whose} may write (${rights}). ${SAFER}`]),
    ...((await lacksStatus(connection)) ? [`${whose} ${WITHOUT_STATUS}`] : []),
  ];
}

const SAFER =
  'Sessions are opened read-only all the same; ' +
  'an account that has only SELECT on this database is safer.';

const WITHOUT_STATUS =
  'lacks the right PROCESS, without which no change of the data is noticed: totals are counted ' +
  'again and again, and deep pages are slow. ' +
  'An administrator can grant it (`grant process on *.* to …`). ' +
  'It also shows the account what all other sessions of the server are running.';

/** Roles may grant the right, too, so it is tried. */
async function lacksStatus(connection: Connection): Promise<boolean> {
  if (connection.instance === undefined) return false;
  return connection.command('show engine innodb status').then(() => false, isPrivilegeMissing);
}

/** MariaDB comes with test databases, `test` and `test\_%`, in which everybody may write. */
export function isForEverybodyElsewhere(grant: string, database: string): boolean {
  const [, pattern] = / ON `(.*)`\.\* TO PUBLIC\b/.exec(grant) ?? [];
  return pattern !== undefined && !matches(database, pattern);
}

const WILDCARDS: Readonly<Record<string, string>> = { '%': '.*', _: '.' };

function matches(name: string, pattern: string): boolean {
  const source = pattern.replaceAll(
    /\\?([^])/gu,
    (part, character: string) =>
      WILDCARDS[part] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return new RegExp(`^${source}$`, 'isu').test(name);
}

/** Rights on columns are listed as `UPDATE (a, b)`. */
function writingRights(grant: string): string[] {
  const [, query = ''] = /^GRANT (.+?) ON /.exec(grant) ?? [];
  const rights = query.replace(/\s*\([^)]*\)/g, '').split(', ');
  return rights.filter((right) => WRITES.test(right));
}
