/**
 * One run at a time. All who ask share the next to begin: no answer is older than its question.
 *
 * @param pause what to wait for before each run. Default: only the run before
 */
export function sharedRuns<Value>(
  run: () => Promise<Value>,
  pause: () => Promise<unknown> = () => Promise.resolve(),
): () => Promise<Value> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Value> | undefined;
  const runNext = async (): Promise<Value> => {
    await current.catch(() => undefined);
    await pause();
    next = undefined;
    const running = run();
    current = running;
    return running;
  };
  return () => {
    next ??= runNext();
    return next;
  };
}
