import type { RequestFault } from '@proj/client';

interface FaultListProps {
  readonly id?: string;
  readonly faults: readonly RequestFault[];
}

/** What the service says about a control, below it. */
export function FaultList({ id, faults }: FaultListProps) {
  if (faults.length === 0) return null;
  return (
    <div class="faults" id={id} role="alert">
      <ul>
        {faults.map(({ pointer, detail, did_you_mean: meant }) => (
          <li key={`${pointer} ${detail}`}>
            {detail}
            {meant !== undefined && ` Did you mean “${meant}”?`}
          </li>
        ))}
      </ul>
    </div>
  );
}
