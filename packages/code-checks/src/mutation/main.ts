// `pnpm mutation [folder …]`: mutates the folders named, or all, one after the other. Exits with 1
// where the tests kill too few, or a mutant survives for no reason that is written down.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../repository.ts';
import { readAccepted, reasonFor } from './accepted-survivors.ts';
import { KILLED_SHARE, MUTATED_FOLDERS, type MutatedFolder } from './folders.ts';
import { scoreOf, survivorsOf } from './mutants.ts';
import { type FolderResult, mutationReport } from './report.ts';
import { runMutants } from './run.ts';

process.chdir(ROOT);
const names = process.argv.slice(2);
const results: FolderResult[] = [];
for (const folder of MUTATED_FOLDERS)
  if (names.length === 0 || names.includes(folder.name)) results.push(await mutate(folder));

process.stdout.write(`\n${mutationReport(results)}\n`);
const isGood = ({ score, survivors }: FolderResult): boolean =>
  score.share >= KILLED_SHARE && survivors.every(({ reason }) => reason !== undefined);
process.exitCode = results.length > 0 && results.every(isGood) ? 0 : 1;

async function mutate(folder: MutatedFolder): Promise<FolderResult> {
  const mutants = await runMutants(folder);
  const accepted = readAccepted();
  return {
    name: folder.name,
    score: scoreOf(mutants),
    survivors: survivorsOf(mutants, ROOT).map((survivor) => {
      const code = lineAt(survivor.path, survivor.line);
      return { ...survivor, code, reason: reasonFor({ ...survivor, code }, accepted) };
    }),
  };
}

function lineAt(path: string, line: number): string {
  return readFileSync(join(ROOT, path), 'utf8').split('\n')[line - 1]?.trim() ?? '';
}
