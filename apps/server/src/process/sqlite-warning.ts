/** Hides only Node 22's warning that its SQLite is experimental; we test supported versions. */
export function hideSqliteWarning(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    const { name, message } = warning;
    if (name === 'ExperimentalWarning' && message.startsWith('SQLite ')) return;
    for (const print of printers) print(warning);
  });
}
