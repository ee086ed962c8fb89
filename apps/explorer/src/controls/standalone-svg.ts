/** What a picture takes from the style sheets of the page. */
const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
];

/** The text of a picture that looks the same without the page: its colours are those of now. */
export function standaloneSvg(picture: SVGSVGElement): string {
  const copy = picture.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return '';
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const originals = [picture, ...picture.querySelectorAll('*')];
  for (const [index, part] of [copy, ...copy.querySelectorAll('*')].entries())
    writeStyles(part, originals[index]);
  // Its links lead into this page.
  for (const link of copy.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  copy.prepend(background());
  return new XMLSerializer().serializeToString(copy);
}

function writeStyles(part: Element, original: Element | undefined): void {
  if (original === undefined) return;
  const style = getComputedStyle(original);
  for (const name of STYLES) part.setAttribute(name, style.getPropertyValue(name));
  part.removeAttribute('class');
}

/** Dark pictures are made of light lines, which need their ground. */
function background(): SVGRectElement {
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  return ground;
}
