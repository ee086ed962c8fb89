/** A word with its quotes, a sign between commands, or white space. */
const PART = /(?:[^\s'"\\;|&<>]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+|&&|\|\||[;|&<>]|\s+/gs;

/** The commands of a line, each as the words that it gets: without quotes, redirections and variables that are set before it. */
export function commandsOf(line: string): string[][] {
  const commands: string[][] = [[]];
  const parts = line.match(PART)?.filter((part) => part.trim() !== '') ?? [];
  for (const part of parts) {
    if (/^[;|&<>]/.test(part)) commands.push([]);
    else commands.at(-1)?.push(unquoted(part));
  }
  return commands;
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (_all, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}
