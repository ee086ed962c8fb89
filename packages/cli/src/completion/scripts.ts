export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The shell evaluates one. Its words go to `dq __complete`, the last one as far as it is typed. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
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
