import { describeValue } from '../../errors/describe-value.ts';
import { ARGUMENTS, type Names } from './argument-names.ts';
import { checkSelection } from './check-selection.ts';
import { unknownMember } from './unknown-member.ts';

export type FunctionName = keyof typeof ARGUMENTS;

const TABLE: Readonly<Record<string, readonly (Names | null)[]>> = ARGUMENTS;

const ORDINALS = ['first', 'second'];

/**
 * Refuses options that a function does not know, or that are in the wrong argument. `undefined`
 * counts as absent.
 *
 * @throws {TypeError} that names the option and where it belongs.
 */
export function checkArguments(name: FunctionName, ...given: readonly unknown[]): void {
  for (const [index, names] of ARGUMENTS[name].entries()) {
    const value = given[index];
    if (names === null) continue;
    if (typeof value !== 'object' || value === null) {
      throw new TypeError(
        `${name}: expected an object as the ${ORDINALS[index]} argument; got ` +
          describeValue(value),
      );
    }
    const unknown = unknownMember(value, names);
    if (unknown !== undefined)
      throw new TypeError(`${name}: ${describeUnknown(unknown, name, index)}`);
    if ('filter' in names) checkSelection(name, value);
  }
}

function describeUnknown(unknown: string, name: FunctionName, index: number): string {
  const takes = (names: Names | null): boolean => names !== null && Object.hasOwn(names, unknown);
  const other = ARGUMENTS[name].findIndex(takes);
  if (other !== -1)
    return `${unknown} belongs in the ${ORDINALS[other]} argument; it is in the ${ORDINALS[index]}`;
  const functions = Object.keys(TABLE).filter((owner) => !owner.includes('('));
  const owners = functions.filter((owner) => TABLE[owner]?.some(takes));
  if (owners.length > 0) return `${unknown} is no option of it, but of ${owners.join(', ')}`;
  const allowed = Object.keys(ARGUMENTS[name][index] ?? {}).join(', ');
  const shown = JSON.stringify(unknown);
  return `${shown} is no option; the ${ORDINALS[index]} argument takes ${allowed}`;
}
