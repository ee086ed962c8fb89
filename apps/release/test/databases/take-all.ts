/** Opens connections until the database gives no more. @returns what closes them. */
export async function takeAll<Connection>(
  connect: () => Promise<Connection>,
  close: (connection: Connection) => Promise<void>,
): Promise<() => Promise<void>> {
  const taken: Connection[] = [];
  for (;;) {
    const connection = await connect().catch(() => undefined);
    if (connection === undefined) break;
    taken.push(connection);
  }
  return async () => {
    await Promise.all(taken.splice(0).map(close));
  };
}
