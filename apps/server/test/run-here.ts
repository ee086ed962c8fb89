import { vi } from 'vitest';

import { run } from '../src/run.ts';

/** How the command has ended, and what it has written; no code where it has no error to tell. */
export interface RunHere {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunHere> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += String(chunk);
      return true;
    }),
  );
  try {
    return { code: await run({ args, env }), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
