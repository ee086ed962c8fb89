/**
 * Keeps Node from printing that its SQLite is experimental, which Node 22 does at the start; every
 * other warning is printed as before. The versions of Node that are supported are tested with it.
 */
export function hideSqliteWarning(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (isSqliteWarning(warning)) return;
    for (const print of printers) print(warning);
  });
}

function isSqliteWarning({ name, message }: Error): boolean {
  return name === 'ExperimentalWarning' && message.startsWith('SQLite ');
}
