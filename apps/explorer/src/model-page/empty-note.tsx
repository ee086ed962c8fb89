import type { PageState } from '../state/use-page.ts';
import { FIRST_VIEW, type ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';

interface EmptyNoteProps {
  readonly page: PageState;
  readonly view: ViewState;
}

/** Why there are no records. */
export function EmptyNote({ page, view }: EmptyNoteProps) {
  const { shown, isCurrent } = page;
  if (shown === null) return <p class="empty-note">{unreadText(page)}</p>;
  if (!isCurrent || shown.records.length > 0) return null;
  const isPastTheEnd = shown.total === null ? view.page > 1 : shown.total > 0n;
  if (isPastTheEnd) {
    return (
      <p class="empty-note">
        This page is past the end of the list.{' '}
        <button type="button" onClick={() => changeView({ page: 1 })}>
          Go to the first page
        </button>
      </p>
    );
  }
  const { filter, search } = view;
  if (filter.parts.length === 0 && search === '')
    return <p class="empty-note">The model has no records.</p>;
  return (
    <p class="empty-note">
      {search === '' ? 'No record meets the conditions.' : 'No record is found.'}{' '}
      <button
        type="button"
        onClick={() => changeView({ filter: FIRST_VIEW.filter, search: FIRST_VIEW.search })}
      >
        Show all records
      </button>
    </p>
  );
}

/** What is said before anything of the model was read. */
function unreadText({ error, waiting, isOffline }: PageState): string {
  if (error !== null) return 'No records were read.';
  if (waiting !== null) return 'The records are read at the next attempt.';
  return isOffline ? 'The records are read when the connection is back.' : 'Reading the records …';
}
