import type { Random } from '../../../truth/random.ts';
import { gradeSql, ORDERS_RULES } from './schema.ts';
import {
  LAST_ID,
  LEVELS,
  membershipOf,
  type Model,
  MODELS,
  type Row,
  type Rules,
  TENANTS,
  type World,
} from './world.ts';

/** What a transaction does, in the database and in the world. */
export interface Change {
  readonly statements: readonly string[];
  readonly apply: (world: World) => World;
}

/** Makes a change of a world whose other parts may change meanwhile. */
export type Changing = (world: World, random: Random) => Change;

/** So many sessions change rows, each those whose ids have a remainder of their own. */
export const ROW_WRITERS = 4;

/** What each of the other sessions changes: nobody else does. */
export const RULE_CHANGES: readonly Changing[] = [
  changeOrders,
  changeGrade,
  changeClerk,
  changeGrant,
  changeMemberships,
  changeStoredLevel,
];

/** Adds, removes and changes rows of one writer in several models. */
export function changeRows(remainder: number): Changing {
  return (world, random) => {
    const edits = Array.from({ length: random.integer(1, 6) }, () => {
      const id = random.integer(1, LAST_ID / ROW_WRITERS) * ROW_WRITERS - remainder;
      const model = random.pick(MODELS);
      return editOf(model, world.rows[model].get(id) ?? id, random);
    });
    // The second of two edits of a row would not know of the first one.
    return together([...new Map(edits.map((edit) => [edit.place, edit])).values()]);
  };
}

interface Edit {
  readonly place: string;
  readonly model: Model;
  readonly statement: string;
  readonly id: number;
  /** Undefined where the row is gone. */
  readonly row: Row | undefined;
}

function editOf(model: Model, found: Row | number, random: Random): Edit {
  const id = typeof found === 'number' ? found : found.id;
  const common = { place: `${model} ${id}`, model, id };
  if (typeof found !== 'number' && random.chance(0.2))
    return { ...common, statement: `delete from ${model} where id = ${id}`, row: undefined };
  const [tenant, level, n] = [random.pick(TENANTS), random.pick(LEVELS), random.integer(0, 99)];
  const statement =
    typeof found === 'number'
      ? `insert into ${model} values (${id}, '${tenant}', ${level}, ${n})`
      : `update ${model} set tenant = '${tenant}', level = ${level}, n = ${n} where id = ${id}`;
  return { ...common, statement, row: { id, tenant, level, n } };
}

function together(edits: readonly Edit[]): Change {
  return {
    statements: edits.map(({ statement }) => statement),
    apply: (world) => {
      const rows = { ...world.rows };
      for (const { model, id, row } of edits) {
        const others = [...rows[model]].filter(([one]) => one !== id);
        rows[model] = new Map(row === undefined ? others : [...others, [id, row]]);
      }
      return { ...world, rows };
    },
  };
}

function withRules(statement: string, rules: Partial<Rules>): Change {
  return {
    statements: [statement],
    apply: (world) => ({ ...world, rules: { ...world.rules, ...rules } }),
  };
}

function changeOrders(_world: World, random: Random): Change {
  const orders = random.pick(['own', 'own', 'low', 'none', 'off']);
  return withRules(ORDERS_RULES[orders], { orders });
}

function changeGrade(_world: World, random: Random): Change {
  const grade = random.pick(LEVELS);
  return withRules(gradeSql(grade, random.pick(['quoted', 'parsed', 'procedural'])), { grade });
}

function changeClerk({ rules }: World): Change {
  const isClerk = !rules.isClerk;
  return withRules(isClerk ? 'grant clerk to tenant' : 'revoke clerk from tenant', { isClerk });
}

function changeGrant({ rules }: World): Change {
  const isGranted = !rules.isGranted;
  const statement = isGranted
    ? 'grant select on open to tenant'
    : 'revoke select on open from tenant';
  return withRules(statement, { isGranted });
}

function changeMemberships({ memberships }: World, random: Random): Change {
  const [member, tenant] = [random.pick(TENANTS), random.pick(TENANTS)];
  const pair = membershipOf(member, tenant);
  const isMember = memberships.has(pair);
  const statement = isMember
    ? `delete from memberships where member = '${member}' and tenant = '${tenant}'`
    : `insert into memberships values ('${member}', '${tenant}')`;
  const others = (world: World): string[] => [...world.memberships].filter((one) => one !== pair);
  return {
    statements: [statement],
    apply: (world) => ({
      ...world,
      memberships: new Set(isMember ? others(world) : [...others(world), pair]),
    }),
  };
}

function changeStoredLevel(_world: World, random: Random): Change {
  const storedLevel = random.pick(LEVELS);
  return {
    statements: [`update levels set level = ${storedLevel}`],
    apply: (world) => ({ ...world, storedLevel }),
  };
}
