import type { Command } from 'commander';

import { candidates, type Names } from '../completion/candidates.ts';
import { openService } from '../service/service.ts';
import { put, type Session } from '../terminal/terminal.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The shell evaluates one. Its words go to `dq __complete`, the last one as far as it is typed. */
const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_dq() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <(dq __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _dq dq
`,
  zsh: `#compdef dq
_dq() {
  local -a candidates
  candidates=("\${(@f)$(dq __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$candidates" ]]; then
    compadd -- "\${candidates[@]}"
  else
    _files
  fi
}
compdef _dq dq
`,
  fish: `complete -c dq \\
  -a '(dq __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

/** Prints the script that the shell evaluates. */
export async function printCompletion(shell: Shell, { terminal }: Session): Promise<void> {
  await put(terminal.stdout, COMPLETION_SCRIPTS[shell]);
}

/** A person waits at the keyboard. */
const ATTEMPT_LIMITS = { timeoutMs: 2000, retries: 0 };

/** `dq __complete -- <words>`: one candidate a line; nothing when the service cannot be asked. */
export async function complete(
  words: readonly string[],
  program: Command,
  session: Session,
): Promise<void> {
  const { terminal } = session;
  const options = { signal: terminal.signal };
  const open = async () => (await openService({}, session, ATTEMPT_LIMITS)).client;
  const names: Names = {
    models: async () => (await (await open()).models(options)).map(({ name }) => name),
    model: async (name) => (await open()).model(name, options),
  };
  const found = await candidates(program, words, names).catch(() => []);
  await put(terminal.stdout, found.map((candidate) => `${candidate}\n`).join(''));
}
