import { createConnection, type FieldPacket, type RowDataPacket } from 'mysql2/promise';

/** A row of a query; what another statement gives has no rows. */
type Rows = readonly (readonly (string | null)[])[];

/**
 * Runs SQL at a MariaDB server and gives what its program prints of the rows: columns with tabs
 * between them. The driver takes a tenth of the processor time of a process.
 */
export async function runMariadbSql(
  address: { readonly socketPath: string; readonly database: string },
  sql: string,
): Promise<string> {
  const connection = await createConnection({
    ...address,
    user: 'root',
    charset: 'UTF8MB4_GENERAL_CI',
    multipleStatements: true,
    rowsAsArray: true,
    typeCast: (field) => field.buffer()?.toString() ?? null,
  });
  // Tests end connections, and servers under them.
  connection.on('error', () => undefined);
  try {
    const [result, fields] = await connection.query<RowDataPacket[]>(sql);
    const ofEach = fields as readonly (FieldPacket | FieldPacket[] | undefined)[] | undefined;
    // Several statements have a list of columns each, and one that gives no rows has none.
    const isScript = ofEach?.some((columns) => columns === undefined || Array.isArray(columns));
    const results: readonly unknown[] = isScript === true ? result : [result];
    return results
      .filter((rows): rows is Rows => Array.isArray(rows))
      .flatMap((rows) => rows.map((row) => row.map((cell) => cell ?? 'NULL').join('\t')))
      .join('\n')
      .trimEnd();
  } finally {
    connection.destroy();
  }
}
