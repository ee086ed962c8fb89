import { execFileSync } from 'node:child_process';

/** The reader processes of a database file, whoever has started them. */
export function readersOf(file: string): number[] {
  const table = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' });
  return table
    .split('\n')
    .filter((line) => line.includes('reader-process') && line.includes(file))
    .map((line) => Number.parseInt(line, 10));
}
