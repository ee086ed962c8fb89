/** How work is tried, and when it is tried again. */
export interface Attempts<Value> {
  readonly attempt: () => Promise<Value>;
  /**
   * Whether to attempt again after this error; resolves when the next attempt may begin.
   *
   * @param attempts how many there were
   */
  readonly mayRetry: (error: unknown, attempts: number) => Promise<boolean>;
}

/** Does work that only reads, and again as long as that may succeed. */
export async function withRetry<Value>({ attempt, mayRetry }: Attempts<Value>): Promise<Value> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(await mayRetry(error, attempts))) throw error;
    }
  }
}
