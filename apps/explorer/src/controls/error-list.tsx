import type { RequestError } from '@proj/client';

import { errorDetail } from './error-detail.ts';

interface ErrorListProps {
  readonly id?: string;
  readonly errors: readonly RequestError[];
  /** Whether no control is above the list, so that each error names its place in the request. */
  readonly isApart?: boolean;
}

/** What the service says about a control, below it. */
export function ErrorList({ id, errors, isApart = false }: ErrorListProps) {
  if (errors.length === 0) return null;
  return (
    <div class="errors" id={id} role="alert">
      <ul>
        {errors.map((error) => {
          const { pointer, detail, did_you_mean: meant } = error;
          return (
            <li key={`${pointer} ${detail}`}>
              {isApart ? detail : errorDetail(error)}
              {meant !== undefined && ` Did you mean “${meant}”?`}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
