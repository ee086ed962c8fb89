import type { ListChange } from '@proj/client';
import { useQueryClient } from '@tanstack/preact-query';

/** Says that the list is another one than the page shows, and shows it as it is now when asked. */
export function ChangeNote({ change }: { readonly change: ListChange | null }) {
  const cache = useQueryClient();
  return (
    <div class="change" role="status">
      {change !== null && (
        <button
          type="button"
          onClick={({ currentTarget }) => {
            // The button goes away, and would take the focus along.
            currentTarget.closest('main')?.focus();
            void cache.invalidateQueries();
          }}
        >
          {changeText(change)} · Refresh
        </button>
      )}
    </div>
  );
}

function changeText({ more, text }: ListChange): string {
  if (!more) return 'Records have changed';
  return `${text} ${more === 1n || more === -1n ? 'record' : 'records'}`;
}
