import type { RequestError } from '@proj/client';

import { errorDetail } from './error-detail.ts';

interface ErrorListProps {
  readonly id?: string;
  readonly errors: readonly RequestError[];
  /** What is said of an error; by default what is understood below its control. */
  readonly explain?: (error: RequestError) => string;
}

/** What the service says about a control, below it. */
export function ErrorList({ id, errors, explain = errorDetail }: ErrorListProps) {
  if (errors.length === 0) return null;
  return (
    <div class="errors" id={id} role="alert">
      <ul>
        {errors.map((error) => {
          const { pointer, detail, did_you_mean: meant } = error;
          return (
            <li key={`${pointer} ${detail}`}>
              {explain(error)}
              {meant !== undefined && ` Did you mean “${meant}”?`}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
