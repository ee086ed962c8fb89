import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * A part of the page whose code is loaded when it is first shown, so that the page itself is there
 * sooner. Until then it is nothing.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyPart(props: Props) {
    const [part, setPart] = useState({ component: loaded });
    useEffect(() => {
      const show = async () => {
        loaded ??= await load();
        setPart({ component: loaded });
      };
      if (part.component === undefined) void show();
    }, []);
    return part.component === undefined ? null : h(part.component, props);
  };
}
