import type { ComponentChildren } from 'preact';

import { showView, viewHref, type ViewTarget } from './view-store.ts';

interface ViewLinkProps {
  readonly to: ViewTarget;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly title?: string;
  /** Whether it leads to what is shown already. */
  readonly isCurrent?: boolean;
  readonly onOpen?: () => void;
}

/** A link to a view, which opens without loading the page again. */
export function ViewLink({ to, children, isCurrent = false, onOpen, ...rest }: ViewLinkProps) {
  return (
    <a
      {...rest}
      href={viewHref(to)}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        // The browser opens tabs and windows by itself.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        showView(to);
        onOpen?.();
      }}
    >
      {children}
    </a>
  );
}
