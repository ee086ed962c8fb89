import { execFileSync } from 'node:child_process';

/** The reader processes of a database file, whoever has started them. */
export function readersOf(file: string): number[] {
  return readers(file).map(({ pid }) => pid);
}

/** Those of them that compute at this moment. */
export function busyReadersOf(file: string): number[] {
  return readers(file).flatMap(({ pid, state }) => (state.startsWith('R') ? [pid] : []));
}

function readers(file: string): { readonly pid: number; readonly state: string }[] {
  const table = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' });
  return table
    .split('\n')
    .filter((line) => line.includes('reader-process') && line.includes(file))
    .map((line) => {
      const [pid = '', state = ''] = line.trim().split(/ +/);
      return { pid: Number(pid), state };
    });
}
