import type { DatabaseConnection } from './database-connection.ts';

/** Rights that a service which only reads should not have. */
const WRITES = /^(ALL PRIVILEGES|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|FILE|SUPER|TRIGGER|EVENT)\b/;

/** What the operator should know about the account: whether it could write. */
export async function accountWarnings(connection: DatabaseConnection): Promise<string[]> {
  const rows = await connection.command('show grants');
  const rights = new Set(rows.flatMap(([grant]) => writingRights(String(grant))));
  if (rights.size === 0) return [];
  const [[account] = []] = await connection.command('select current_user()');
  return [
    `The database account ${String(account)} may write (${[...rights].join(', ')}). Sessions are opened read-only all the same; an account that has only SELECT on this database is safer.`,
  ];
}

/** Rights on columns stand as `UPDATE (a, b)`. */
function writingRights(grant: string): string[] {
  const [, list = ''] = /^GRANT (.+?) ON /.exec(grant) ?? [];
  const rights = list.replace(/\s*\([^)]*\)/g, '').split(', ');
  return rights.filter((right) => WRITES.test(right));
}
