import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { repositoryFiles, ROOT } from '../repository.ts';

/** A text that no image may hold. */
export const CANARY = 'canary-5d2e0c9b71';

/** Where people leave secrets in a working tree. */
const LEFT = ['.env', '.npmrc', 'dynamic-query.yaml', 'apps/server/.env', 'apps/server/local.yaml'];

/** Copies the files of the repository as they are, and leaves secrets beside them. */
export async function makeBuildContext(): Promise<string> {
  const context = await mkdtemp(join(tmpdir(), 'dynamic-query-context-'));
  for (const file of repositoryFiles()) {
    await mkdir(dirname(join(context, file)), { recursive: true });
    await cp(join(ROOT, file), join(context, file), { verbatimSymlinks: true });
  }
  for (const file of LEFT) await writeFile(join(context, file), `# token=${CANARY}\n`);
  return context;
}
