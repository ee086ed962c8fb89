import { execFileSync } from 'node:child_process';

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

let account: Account | undefined;

/**
 * An account for servers that refuse to run as root; none where the tests run under another anyway.
 */
export function unprivilegedAccount(): Account {
  account ??= findAccount();
  return account;
}

function findAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const idOf = (option: string): number =>
        Number(execFileSync('id', [option, name], { stdio: 'pipe' }));
      return { uid: idOf('-u'), gid: idOf('-g') };
    } catch {
      // There is no such account.
    }
  }
  return {};
}
