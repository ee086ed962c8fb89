import { createRequire } from 'node:module';

import { Command } from 'commander';

import type { Session } from './terminal/terminal.ts';

/** For flags that people try but a command lacks: what to use instead, by command and flag. */
export type OtherFlags = Readonly<Record<string, string>>;

/** Nothing in it ends the process: its actions reject. */
export function baseProgram(name: string, { terminal: { stdout, stderr } }: Session): Command {
  return new Command(name).exitOverride().configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
  });
}

/** Prints errors of usage in one line, also those of subcommands. */
export function withUsageErrors(
  command: Command,
  others: OtherFlags = {},
  parents: readonly string[] = [],
): Command {
  const names = [...parents, command.name()];
  command.configureOutput({
    outputError: (text, write) => write(usageError(text, names, others)),
  });
  for (const child of command.commands)
    withUsageErrors(child.copyInheritedSettings(command), others, names);
  return command;
}

/** One line, without the value of an unknown flag: it may be a token. */
function usageError(text: string, names: readonly string[], others: OtherFlags): string {
  const command = names.join(' ');
  const [message = '', ...hints] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n');
  const [, flag] = /^unknown option '([^'=]*)/.exec(message) ?? [];
  const other = others[`${command} ${flag}`];
  const shown = [
    message.replace(/^(unknown option '[^=]*)=[^]*'$/, "$1'"),
    ...(other === undefined ? hints : [other]),
  ].join(other === undefined ? ' ' : '. ');
  return `${names[0]}: ${shown}${/[.?)]$/.test(shown) ? '' : '.'} See: ${command} --help\n`;
}

const manifest: { readonly version: string } = createRequire(import.meta.url)('../package.json');

export const VERSION = manifest.version;
