import type { ModelEntry } from '@proj/client';
import { useRef } from 'preact/hooks';

import { SaveSvgButton } from '../controls/save-svg-button.tsx';
import { ViewLink } from '../state/view/view-link.tsx';
import { firstView } from '../state/view/view-store.ts';
import { BOX_HEIGHT, type Drawing, layOut } from './reference-layout.ts';

/** More than these do not fit into a picture that can be read. */
const MOST_MODELS = 40;

/** How the models refer to each other; nothing where none does. */
export function ReferencePicture({ models }: { readonly models: readonly ModelEntry[] }) {
  const picture = useRef<SVGSVGElement>(null);
  const names = new Set(
    models.flatMap(({ name, references = [] }) =>
      references.length === 0 ? [] : [name, ...references.map(({ model }) => model)],
    ),
  );
  if (names.size === 0) return null;
  if (names.size > MOST_MODELS)
    return (
      <section aria-label="References">
        <h2>References</h2>
        <p class="hint">
          {names.size} models refer to each other. They are drawn up to {MOST_MODELS}: the record of
          a model has links along its references.
        </p>
      </section>
    );
  const drawn = models.filter(({ name }) => names.has(name));
  const drawing = layOut(
    drawn.map(({ name, references = [] }) => ({
      name,
      refersTo: references.map(({ model }) => model),
    })),
  );
  return (
    <section aria-label="References">
      <div class="row">
        <h2>References</h2>
        <span class="gap" />
        <SaveSvgButton name="references" picture={picture} />
      </div>
      <div
        class="picture-frame"
        tabIndex={0}
        role="group"
        aria-label="How the models refer to each other"
      >
        <Picture drawing={drawing} place={picture} />
      </div>
    </section>
  );
}

interface PictureProps {
  readonly drawing: Drawing;
  readonly place: { current: SVGSVGElement | null };
}

function Picture({ drawing: { boxes, arrows, width, height }, place }: PictureProps) {
  return (
    <svg
      ref={place}
      class="references"
      width={width + 44}
      height={height}
      viewBox={`0 0 ${width + 44} ${height}`}
    >
      <defs>
        <marker
          id="tip"
          viewBox="0 0 8 8"
          refX="4"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path class="tip" d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      {arrows.map(({ from, to, path }) => (
        <path key={`${from} ${to}`} class="arrow" d={path} marker-end="url(#tip)">
          <title>{`${from} refers to ${to}`}</title>
        </path>
      ))}
      {boxes.map(({ name, x, y, width: boxWidth }) => (
        <ViewLink key={name} to={firstView(name)}>
          <rect class="box" x={x} y={y} width={boxWidth} height={BOX_HEIGHT} rx="6" />
          <text x={x + 12} y={y + 17}>
            {name}
          </text>
        </ViewLink>
      ))}
    </svg>
  );
}
