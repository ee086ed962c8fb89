import type { ModelEntry } from '@proj/client';
import type { Command, Option } from 'commander';

import { pathCandidates } from './path-candidates.ts';

/** Asks the service; returns nothing when it does not answer. */
export interface Names {
  models(): Promise<readonly string[]>;
  model(name: string): Promise<ModelEntry | undefined>;
}

export async function candidates(
  program: Command,
  words: readonly string[],
  names: Names,
): Promise<string[]> {
  const current = words.at(-1) ?? '';
  const all = await everyCandidate(program, { current, before: words.slice(0, -1) }, names);
  return all.filter((candidate) => candidate.startsWith(current) && isPlain(candidate));
}

interface Line {
  readonly before: readonly string[];
  readonly current: string;
}

/** A shell would run a name such as `$(…)`; those have to be typed. */
function isPlain(candidate: string): boolean {
  return /^[\p{L}\p{M}\p{N}_.,:@%+/=-]+$/u.test(candidate);
}

async function everyCandidate(
  program: Command,
  { before, current }: Line,
  names: Names,
): Promise<string[]> {
  const [name, ...rest] = before;
  if (name === undefined) return [...commandNames(program), 'help'];
  const command = program.commands.find((one) => one.name() === name);
  if (command === undefined) return [];
  const { option, operands } = readWords(command, rest);
  if (option) return valuesOf(option, { current, model: operands[0] }, names);
  if (current.startsWith('-'))
    return [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  const argument = command.registeredArguments[operands.length];
  if (argument?.argChoices) return [...argument.argChoices];
  if (argument?.name() === 'model') return [...(await names.models())];
  const complete = REPEATED[lastArgument(command, operands.length) ?? ''];
  return complete === undefined ? [] : complete(operands, names, current);
}

type Complete = (operands: readonly string[], names: Names, current: string) => Promise<string[]>;

/** Arguments that take all remaining words. */
const REPEATED: Readonly<Record<string, Complete>> = { key: keyParts, facet: facetNames };

function lastArgument({ registeredArguments }: Command, place: number): string | undefined {
  return place < registeredArguments.length - 1 ? undefined : registeredArguments.at(-1)?.name();
}

/** The parts of the key that are not given yet, to be completed with their values. */
async function keyParts(
  [model = '', ...given]: readonly string[],
  names: Names,
): Promise<string[]> {
  const key = (await names.model(model))?.key ?? [];
  const missing = key.filter((name) => !given.some((word) => word.startsWith(`${name}=`)));
  return missing.map((name) => `${name}=`);
}

async function facetNames(
  [model = '', ...given]: readonly string[],
  names: Names,
  current: string,
): Promise<string[]> {
  const entry = await names.model(model);
  const found = entry
    ? await pathCandidates(current, entry, { readModel: async (name) => names.model(name) })
    : [];
  return found
    .filter(({ name, facets }) => facets?.length !== 0 && !given.includes(name))
    .map(({ name }) => name);
}

/** Hidden commands begin with `_`. */
function commandNames({ commands }: Command): string[] {
  return commands.map((command) => command.name()).filter((name) => !name.startsWith('_'));
}

/** Finds the operands, and the option whose value the last word is. */
function readWords(
  command: Command,
  words: readonly string[],
): { option: Option | undefined; operands: string[] } {
  const operands: string[] = [];
  let option: Option | undefined;
  for (const word of words) {
    const isValue = option !== undefined;
    option = isValue
      ? undefined
      : command.options.find((one) => one.required && (one.long === word || one.short === word));
    if (!isValue && !word.startsWith('-')) operands.push(word);
  }
  return { option, operands };
}

interface Place {
  readonly current: string;
  readonly model: string | undefined;
}

async function valuesOf(
  option: Option,
  { current, model }: Place,
  names: Names,
): Promise<string[]> {
  if (option.argChoices) return option.argChoices;
  if (option.long === '--model') return [...(await names.models())];
  const entry =
    LISTS.has(option.long ?? '') && model !== undefined ? await names.model(model) : undefined;
  if (entry === undefined) return [];
  const paths = async (typed: string): Promise<string[]> => {
    const found = await pathCandidates(typed, entry, {
      readModel: async (name) => names.model(name),
    });
    return found.map(({ name }) => name);
  };
  if (option.long === '--filter') return paths(current);
  const earlier = current.slice(0, current.lastIndexOf(',') + 1);
  const named = new Set(earlier.split(',').map((name) => name.replace(/^-/, '')));
  const minus =
    option.long === '--sort' && current.slice(earlier.length).startsWith('-') ? '-' : '';
  const typed = current.slice(earlier.length + minus.length);
  return (await paths(typed))
    .filter((name) => !named.has(name))
    .map((name) => earlier + minus + name);
}

const LISTS = new Set([
  '--attributes',
  '--sort',
  '--filter',
  '--by',
  '--count-distinct',
  '--sum',
  '--average',
  '--min',
  '--max',
]);
