/** Does something the first time that it is called. */
export function onlyOnce(work: () => unknown): () => Promise<void> {
  let done: Promise<void> | undefined;
  return async () => (done ??= (async () => void (await work()))());
}
