interface ResizeHandleProps {
  readonly onWidth: (pixels: number) => void;
  readonly onFit: () => void;
}

/**
 * The edge of a column's head: dragging it sizes the column, two clicks fit it to its values. Keys
 * have the same in the menu of the column.
 */
export function ResizeHandle({ onWidth, onFit }: ResizeHandleProps) {
  return (
    <span
      class="resize"
      aria-hidden="true"
      onDblClick={onFit}
      onPointerDown={(event) => {
        const handle = event.currentTarget;
        const head = handle.closest('th');
        if (head === null || event.button !== 0) return;
        event.preventDefault();
        handle.setPointerCapture(event.pointerId);
        const start = head.offsetWidth - event.clientX;
        const drag = ({ clientX }: PointerEvent) => onWidth(start + clientX);
        handle.addEventListener('pointermove', drag);
        handle.addEventListener(
          'lostpointercapture',
          () => handle.removeEventListener('pointermove', drag),
          { once: true },
        );
      }}
    />
  );
}
