/** Hides only Node 22's warning that its SQLite is experimental; we test supported versions. */
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
