import { saveFile } from './save-file.ts';
import { standaloneSvg } from './standalone-svg.ts';

interface SaveSvgButtonProps {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly picture: { readonly current: SVGSVGElement | null };
}

/** Saves a picture of the page as a file. */
export function SaveSvgButton({ name, picture }: SaveSvgButtonProps) {
  return (
    <button
      type="button"
      onClick={() => {
        if (picture.current === null) return;
        const text = standaloneSvg(picture.current);
        saveFile(new Blob([text], { type: 'image/svg+xml' }), `${name}.svg`);
      }}
    >
      Save as SVG
    </button>
  );
}
