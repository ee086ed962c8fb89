import type { ModelEntry } from '@proj/client';
import { RELATION_LIMITS } from '@proj/contract';
import type { Command, Option } from 'commander';

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
  const found = await pathCandidates(current, await names.model(model), { names });
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
  const paths = async (typed: string): Promise<string[]> =>
    (await pathCandidates(typed, entry, { names })).map(({ name }) => name);
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

/** An attribute, or a relation with its dot. */
export interface PathCandidate {
  readonly name: string;
  /** Of an attribute, as the catalogue has them. */
  readonly facets?: readonly string[] | undefined;
}

interface PathReading {
  readonly names: Names;
  /** How many relations may follow. */
  readonly left?: number;
}

/** The next step of a path: behind `customer.`, the attributes and relations of customers. */
async function pathCandidates(
  typed: string,
  model: ModelEntry | undefined,
  { names, left = RELATION_LIMITS.steps }: PathReading,
): Promise<PathCandidate[]> {
  if (model === undefined) return [];
  const relations = left === 0 ? [] : (model.references ?? []);
  for (const { name, model: target } of relations) {
    if (name === undefined || !typed.startsWith(`${name}.`)) continue;
    const rest = typed.slice(name.length + 1);
    const found = await pathCandidates(rest, await names.model(target), { names, left: left - 1 });
    return found.map((one) => ({ ...one, name: `${name}.${one.name}` }));
  }
  const further = relations.flatMap(({ name }) =>
    name === undefined ? [] : [{ name: `${name}.` }],
  );
  return [...model.attributes, ...further];
}
