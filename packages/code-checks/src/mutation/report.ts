import type { SurvivorInCode } from './accepted-survivors.ts';
import type { MutationScore } from './mutants.ts';

/** What one folder's run came to. */
export interface FolderResult {
  readonly name: string;
  readonly score: MutationScore;
  readonly survivors: readonly (SurvivorInCode & { readonly reason: string | undefined })[];
}

/** The scores as a table, then the survivors that have no reason yet. */
export function mutationReport(folders: readonly FolderResult[]): string {
  const unexplained = folders.flatMap(({ survivors }) =>
    survivors.filter(({ reason }) => reason === undefined),
  );
  return [scoreTable(folders), ...unexplained.map(survivorLine)].join('\n');
}

function scoreTable(folders: readonly FolderResult[]): string {
  return [
    ['folder', 'mutants', 'killed', 'timed out', 'survived', 'not covered', 'score'],
    ['---', '---:', '---:', '---:', '---:', '---:', '---:'],
    ...folders.map(({ name, score }) => [
      name,
      ...countsOf(score).map(String),
      `${(score.share * 100).toFixed(1)} %`,
    ]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

function countsOf({ mutants, killed, timedOut, survived, notCovered }: MutationScore): number[] {
  return [mutants, killed, timedOut, survived, notCovered];
}

function survivorLine({ path, line, mutator, replacement, code, covered }: SurvivorInCode): string {
  const note = covered ? '' : ' (not covered)';
  return `${path}:${line} ${mutator}${note}\n  - ${code}\n  + ${replacement}`;
}
