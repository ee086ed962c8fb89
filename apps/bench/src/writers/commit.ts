import { openConnection } from './connection.ts';
import type { WriterInput } from './writer.ts';

/** Commits one transaction after another. */
interface Commit {
  readonly commit: (number: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a connection that writes. Closing leaves the table as long as it was. */
export async function openCommit(input: WriterInput): Promise<Commit> {
  const { run, close } = await openConnection(input.database, input.url);
  return {
    commit: async (number) => {
      await run('begin');
      try {
        for (const statement of changes(input, number)) await run(statement);
        await run('commit');
      } catch (error) {
        await run('rollback');
        throw error;
      }
    },
    close: async () => {
      await run(deletion(input));
      await close();
    },
  };
}

/**
 * Some row is changed; behind the end a row of this writer comes and goes in turn, so that the
 * total changes with every transaction.
 */
function changes(input: WriterInput, number: number): string[] {
  const { table, rows } = input;
  const somewhere = 1 + ((number * 7919 + input.writer * 104_729) % rows);
  const values =
    `${ownId(input)}, '2030-01-01T00:00:00', 'written ${number}', ${number}.5, ` +
    `${number % 3 === 0}`;
  const insertion = `insert into ${table} (id, created_at, name, amount, flag) values (${values})`;
  return [
    `update ${table} set amount = ${number}.25 where id = ${somewhere}`,
    number % 2 === 0 ? insertion : deletion(input),
  ];
}

function deletion(input: WriterInput): string {
  return `delete from ${input.table} where id = ${ownId(input)}`;
}

function ownId({ rows, writer }: WriterInput): number {
  return rows + 1 + writer;
}
