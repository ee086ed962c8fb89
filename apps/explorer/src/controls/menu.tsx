import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A point of the window, in pixels from its left and upper edges. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface MenuProps {
  /** What has the focus again when the menu closes. */
  readonly opener: HTMLElement | null;
  /** Where it opens; below its opener where undefined. */
  readonly at?: Point | undefined;
  /** The items: {@link MenuItem}s, and `<hr>` between them. */
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** An open menu. Arrow keys go through it; Escape, a choice and a click beside it close it. */
export function Menu({ opener, at, children, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  // Before anything else happens: what is pressed next is meant for the menu.
  useLayoutEffect(() => {
    const { current } = menu;
    if (current === null) return;
    current.showPopover();
    placeAt(current, at ?? opener?.getBoundingClientRect() ?? { x: 0, y: 0 });
    itemsOf(current)[0]?.focus();
  }, []);
  const leave = () => opener?.focus();
  return (
    <div
      ref={menu}
      role="menu"
      class="menu"
      // One that the browser closes would not outlive the release of the button that opened it.
      popover="manual"
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && menu.current?.contains(relatedTarget))) onClose();
      }}
      // Before the choice, which may take the focus.
      onClickCapture={leave}
      onClick={() => {
        // A choice that moved the opener has taken it from there.
        if (document.activeElement === document.body) leave();
        onClose();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Tab' || event.key === 'Escape') {
          leave();
          onClose();
        }
        const target = menu.current && itemFor(event.key, itemsOf(menu.current));
        if (!target) return;
        event.preventDefault();
        target.focus();
      }}
    >
      {children}
    </div>
  );
}

interface MenuItemProps {
  readonly children: ComponentChildren;
  /** Whether it is the choice that holds now; undefined for what is no choice but an action. */
  readonly isChosen?: boolean;
  readonly onChoose: () => void;
}

/** One line of a menu. */
export function MenuItem({ children, isChosen, onChoose }: MenuItemProps) {
  return (
    <button
      type="button"
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
      tabIndex={-1}
      onClick={onChoose}
    >
      <span class="mark" aria-hidden="true">
        {isChosen === true && '✓'}
      </span>
      {children}
    </button>
  );
}

function itemsOf(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')];
}

function itemFor(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  const at = items.findIndex((item) => item === document.activeElement);
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at - 1);
  if (key === 'Home') return items[0];
  return key === 'End' ? items.at(-1) : undefined;
}

/** Below a point or a rectangle and within the window. */
function placeAt(menu: HTMLElement, place: Point | DOMRect): void {
  const { x, y } = place;
  const bottom = y + ('height' in place ? place.height : 0);
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = bottom + height < innerHeight ? bottom : Math.max(0, y - height);
  menu.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
  menu.style.top = `${below}px`;
}
