import type { RequestError } from '@proj/client';

interface ErrorListProps {
  readonly id?: string;
  readonly errors: readonly RequestError[];
}

/** What the service says about a control, below it. */
export function ErrorList({ id, errors }: ErrorListProps) {
  if (errors.length === 0) return null;
  return (
    <div class="errors" id={id} role="alert">
      <ul>
        {errors.map(({ pointer, detail, did_you_mean: meant }) => (
          <li key={`${pointer} ${detail}`}>
            {detail}
            {meant !== undefined && ` Did you mean “${meant}”?`}
          </li>
        ))}
      </ul>
    </div>
  );
}
