/**
 * The results of all, or the first failure, but not before every one of them has ended: none may go
 * on beside what comes next.
 */
export async function allEnded<Result>(works: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
