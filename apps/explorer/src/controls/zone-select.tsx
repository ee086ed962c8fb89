import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';
import { LOCAL_ZONE } from '../values/local-time.ts';

interface ZoneSelectProps {
  readonly view: ViewState;
}

/** Whose days and hours instants are grouped, counted and filtered by: UTC's or the reader's. */
export function ZoneSelect({ view }: ZoneSelectProps) {
  const { zone, group } = view;
  const zones = new Set(['UTC', LOCAL_ZONE, zone ?? 'UTC']);
  return (
    <select
      aria-label="Time zone"
      title="Whose days and hours are meant"
      value={zone ?? 'UTC'}
      onChange={({ currentTarget: { value } }) =>
        changeView({ zone: value === 'UTC' ? null : value, group })
      }
    >
      {[...zones].map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
