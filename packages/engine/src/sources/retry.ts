/** How work is tried, and when it is tried again. */
export interface Attempts<Value> {
  readonly attempt: () => Promise<Value>;
  /** Whether to attempt again after this error; resolves when the second attempt may begin. */
  readonly mayRetry: (error: unknown) => Promise<boolean>;
}

/** Does work that only reads, and once more where that may succeed. */
export async function withRetry<Value>({ attempt, mayRetry }: Attempts<Value>): Promise<Value> {
  try {
    return await attempt();
  } catch (error) {
    if (!(await mayRetry(error))) throw error;
  }
  return attempt();
}
