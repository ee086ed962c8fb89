import { sharedRuns } from '../../shared-runs.ts';
import type { FollowedChanges, FollowedState, FollowedStates } from '../../sources/source.ts';
import type { FollowedRows } from '../../reading/followed/followed-rows.ts';
import type { PlannedWatch } from './plan-watch.ts';
import type { ReadState, WatchedList } from './watched-list.ts';

/** Late snapshots in a row before the lists are read. */
const MOST_MISSES = 10;

export interface FollowedWatch {
  readonly list: WatchedList;
  readonly planned: PlannedWatch;
  readonly rows: FollowedRows;
}

export interface FoundState {
  readonly planned: PlannedWatch;
  readonly found: FollowedState;
  readonly states: FollowedStates;
}

export interface FollowedWatchesParts {
  readonly changes: Pick<FollowedChanges, 'states' | 'knowsTotal'> | undefined;
  readonly versionOf: (planned: PlannedWatch) => Promise<string | undefined>;
  readonly stateOf: (state: FoundState) => ReadState | undefined;
}

interface RelationTurn {
  readonly rows: FollowedRows;
  readonly due: Map<WatchedList, FollowedWatch>;
  readonly look: () => Promise<void>;
  misses: number;
  /** The last snapshot's version, and whether the one before differed. */
  version: string | undefined;
  isWritten: boolean;
}

/** One snapshot for all watched lists of a relation. */
export class FollowedWatches {
  readonly #parts: FollowedWatchesParts;
  readonly #turns = new Map<string, RelationTurn>();

  constructor(parts: FollowedWatchesParts) {
    this.#parts = parts;
  }

  /** Lists that become due meanwhile follow at once. */
  look(watches: readonly FollowedWatch[]): void {
    for (const watch of watches) this.#turnOf(watch.rows).due.set(watch.list, watch);
    for (const turn of this.#turns.values()) if (turn.due.size > 0) void turn.look();
  }

  #turnOf(rows: FollowedRows): RelationTurn {
    const known = this.#turns.get(rows.name);
    if (known !== undefined) return known;
    const turn: RelationTurn = {
      rows,
      due: new Map<WatchedList, FollowedWatch>(),
      look: sharedRuns(() => this.#take(turn)),
      misses: 0,
      version: undefined,
      isWritten: false,
    };
    this.#turns.set(rows.name, turn);
    return turn;
  }

  async #take(turn: RelationTurn): Promise<void> {
    const due = [...turn.due.values()];
    turn.due.clear();
    await this.#lookAt(turn, due);
    // Callers may come and go.
    const isIdle = turn.due.size + turn.misses === 0;
    if (isIdle && turn.rows.session !== undefined) this.#turns.delete(turn.rows.name);
  }

  /** Never rejects. */
  async #lookAt(turn: RelationTurn, due: readonly FollowedWatch[]): Promise<void> {
    const [first] = due;
    // While others write, the version always differs.
    const version = turn.isWritten
      ? undefined
      : first && (await this.#parts.versionOf(first.planned));
    const old = due.filter(({ list }) => list.isWatched && list.isOld(version));
    if (old.length === 0) return;
    const conditions = old.map(({ rows }) => rows.condition);
    const { relation, session } = turn.rows;
    const asked = this.#parts.changes?.states(relation, conditions, session);
    const states = await asked?.catch(() => undefined);
    turn.misses = states === undefined ? turn.misses + 1 : 0;
    const known = turn.version;
    turn.version = states?.version;
    const isOther = known !== undefined && turn.version !== undefined && turn.version !== known;
    // A caller's rows are followed to the version asked for in advance.
    turn.isWritten = isOther && session === undefined;
    const isFollowed = ({ rows }: FollowedWatch): boolean =>
      this.#parts.changes?.knowsTotal(relation, rows.condition, rows.session) === true;
    // The version of all that the callers are shown.
    const followedTo = session === undefined ? states?.version : version;
    for (const [place, watch] of old.entries()) {
      const { list, planned } = watch;
      const found = states?.lists[place];
      if (states !== undefined && found !== undefined)
        list.follow({ version: followedTo, changedAt: found.changedAt }, () =>
          this.#parts.stateOf({ planned, found, states }),
        );
      else if (states === undefined && turn.misses < MOST_MISSES && isFollowed(watch))
        turn.due.set(list, watch);
      else void list.look();
    }
  }
}
