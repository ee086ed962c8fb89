import { nameText, nameTexts } from '@proj/contract';
import type { Engine, ForeignKeyFinding } from '@proj/engine';

/** @param verbose whether each foreign key has a line of its own */
export function relationLines(
  { catalogue, foreignKeys }: Pick<Engine, 'catalogue' | 'foreignKeys'>,
  verbose: boolean,
): string[] {
  if (!verbose) return summaryOf(foreignKeys);
  const relations = [...catalogue.values()].flatMap((model) =>
    [...model.relations.values()].map(
      (to) => `relation: ${nameText(model.name)}.${to.name} → ${nameText(to.model)}`,
    ),
  );
  return [...relations, ...foreignKeys.flatMap(reasonOf)];
}

/** Empty where paths follow all of them. */
function summaryOf(foreignKeys: readonly ForeignKeyFinding[]): string[] {
  const others = foreignKeys.filter(({ why }) => why !== undefined).length;
  const all = foreignKeys.length;
  return others === 0
    ? []
    : [`no relations: ${others} of ${all} foreign keys; check --verbose says why.`];
}

function reasonOf({ model, columns, target, why }: ForeignKeyFinding): string[] {
  if (why === undefined) return [];
  const foreignKey = `${nameText(model)} (${nameTexts(columns)}) → ${target.join('.')}`;
  return [`no relation: ${foreignKey}: ${why}.`];
}
