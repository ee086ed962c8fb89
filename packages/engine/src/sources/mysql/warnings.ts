import type { Connection } from './connection.ts';

/** Rights that a service which only reads should not have. */
const WRITES =
  /^(ALL PRIVILEGES|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|FILE|SUPER|TRIGGER|EVENT)\b/;

/** What the operator should know about the account: whether it could write. */
export async function accountWarnings(connection: Connection): Promise<string[]> {
  const [[account, database] = []] = await connection.command('select current_user(), database()');
  const grants = (await connection.command('show grants')).map(([grant]) => String(grant));
  const rights = new Set(
    grants
      .filter((grant) => !isForEverybodyElsewhere(grant, String(database)))
      .flatMap(writingRights),
  );
  if (rights.size === 0) return [];
  return [
    `The database account ${String(account)} may write (${[...rights].join(', ')}). ` +
      'Sessions are opened read-only all the same; ' +
      'an account that has only SELECT on this database is safer.',
  ];
}

/** MariaDB comes with databases for tests, `test` and `test\_%`, in which everybody may write. */
export function isForEverybodyElsewhere(grant: string, database: string): boolean {
  const [, pattern] = / ON `(.*)`\.\* TO PUBLIC\b/.exec(grant) ?? [];
  return pattern !== undefined && !matches(database, pattern);
}

const WILDCARDS: Readonly<Record<string, string>> = { '%': '.*', _: '.' };

/** Whether a name is one that a pattern of `like` matches. */
function matches(name: string, pattern: string): boolean {
  const source = pattern.replaceAll(
    /\\?([^])/gu,
    (part, character: string) => WILDCARDS[part] ?? `\\u{${codeOf(character)}}`,
  );
  return new RegExp(`^${source}$`, 'isu').test(name);
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

/** Rights on columns are listed as `UPDATE (a, b)`. */
function writingRights(grant: string): string[] {
  const [, query = ''] = /^GRANT (.+?) ON /.exec(grant) ?? [];
  const rights = query.replace(/\s*\([^)]*\)/g, '').split(', ');
  return rights.filter((right) => WRITES.test(right));
}
