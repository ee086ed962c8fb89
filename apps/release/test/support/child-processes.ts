import { readFileSync } from 'node:fs';

/** The processes that a process has started and that have not ended. */
export function childrenOf(pid = 0): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.trim().split(' ').filter(Boolean).map(Number);
}
