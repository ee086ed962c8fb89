/** Imported by the processes of a service. Each says what it has in use on SIGWINCH, which ends none. */
process.on('SIGWINCH', () => {
  // What finalizers let go is collected by the second.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`\nIn use: ${heapUsed + external} bytes.\n`);
});
