import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { Client, type CustomTypesConfig } from 'pg';

import { psqlPath } from './postgres-programs.ts';

const run = promisify(execFile);

const OPTIONS = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1'];

/** What psql alone can read: its own commands, and semicolons inside of a statement. */
const NEEDS_PSQL = /^\s*\\|\be'|\bbegin\s+atomic\b|\bcreate\s+(or\s+replace\s+)?rule\b/im;

/** Semicolons that end statements, and what may hold others. */
const PARTS = /'[^']*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|--.*|\/\*[\s\S]*?\*\/|;/g;

const AS_SENT: CustomTypesConfig = { getTypeParser: () => (value: string) => value };

/**
 * Runs SQL at a PostgreSQL server and gives what `psql` prints. Its statements are committed one by
 * one. The driver takes a tenth of the processor time of a process.
 */
export async function runSql(url: string, sql: string): Promise<string> {
  return NEEDS_PSQL.test(sql) ? runScript(url, sql) : runStatements(url, statementsOf(sql));
}

function statementsOf(sql: string): readonly string[] {
  const marked = sql.replaceAll(PARTS, (part) => (part === ';' ? '\0' : part));
  return marked.split('\0').filter((statement) => statement.trim() !== '');
}

async function runScript(url: string, sql: string): Promise<string> {
  const child = run(psqlPath(), [...OPTIONS, url], { maxBuffer: 2 ** 28 });
  child.child.stdin?.end(sql);
  return (await child).stdout.trimEnd();
}

async function runStatements(url: string, statements: readonly string[]): Promise<string> {
  const client = new Client({ connectionString: url, types: AS_SENT });
  // Tests end sessions, and servers under them.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const lines: string[] = [];
    for (const text of statements) {
      const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' });
      lines.push(...rows.map((row) => row.join('|')));
    }
    return lines.join('\n').trimEnd();
  } finally {
    await client.end();
  }
}
