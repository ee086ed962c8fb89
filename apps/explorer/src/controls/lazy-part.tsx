import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface PartProps {
  /** Where it can be closed. */
  readonly onClose?: () => void;
}

/**
 * A part of the page whose code is loaded when it is first shown, so that the page itself is there
 * sooner. Until then it is nothing; where the code cannot be loaded, it says so.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props & PartProps> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyPart(props: Props & PartProps) {
    const [part, setPart] = useState({ component: loaded, hasFailed: false });
    const show = async () => {
      setPart({ component: undefined, hasFailed: false });
      try {
        loaded = await load();
      } catch {
        // The banner says what the reader can do; why it failed is in the browser's console.
      }
      setPart({ component: loaded, hasFailed: loaded === undefined });
    };
    useEffect(() => {
      if (part.component === undefined) void show();
    }, []);
    if (part.hasFailed) return <NotLoaded {...props} onRetry={() => void show()} />;
    return part.component === undefined ? null : h(part.component, props);
  };
}

interface NotLoadedProps extends PartProps {
  readonly onRetry: () => void;
}

function NotLoaded({ onRetry, onClose }: NotLoadedProps) {
  return (
    <div class="banner problem not-loaded" role="alert">
      <p>This part of the page could not be loaded. If retrying does not help, reload the page.</p>
      <span class="row">
        <button type="button" onClick={onRetry}>
          Retry
        </button>
        {onClose && (
          <button type="button" onClick={onClose}>
            Close
          </button>
        )}
      </span>
    </div>
  );
}
