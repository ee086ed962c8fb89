/** A model of the picture, with the models that it refers to. */
export interface PictureModel {
  readonly name: string;
  readonly refersTo: readonly string[];
}

/** A box of the picture, in its units. */
export interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** An arrow from the side of one box to that of another. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly path: string;
}

/** Everything that is drawn. */
export interface Drawing {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  readonly width: number;
  readonly height: number;
}

export const BOX_HEIGHT = 26;
const [COLUMN_GAP, ROW_GAP, MARGIN] = [72, 18, 2];
/** How far the arrow of a model to itself goes below its box. */
const LOOP = 16;
const CHARACTER = 7.6;

/**
 * Lays models out from left to right: each is right of all that refer to it, as far as they do not
 * refer to each other in a circle.
 */
export function layOut(models: readonly PictureModel[]): Drawing {
  const ranks = ranksOf(models);
  const columns = Map.groupBy(models, ({ name }) => ranks.get(name) ?? 0);
  const boxes: Box[] = [];
  let x = MARGIN;
  for (const [, column] of [...columns].toSorted(([a], [b]) => a - b)) {
    const width = Math.ceil(Math.max(...column.map(({ name }) => name.length)) * CHARACTER) + 24;
    for (const [row, { name }] of column.entries())
      boxes.push({ name, x, y: MARGIN + row * (BOX_HEIGHT + ROW_GAP), width });
    x += width + COLUMN_GAP;
  }
  const height = Math.max(0, ...boxes.map(({ y }) => y + BOX_HEIGHT)) + LOOP;
  return { boxes, arrows: arrowsOf(models, boxes), width: x - COLUMN_GAP + MARGIN, height };
}

/** How many references lead to each model, one after the other, at most. */
function ranksOf(models: readonly PictureModel[]): ReadonlyMap<string, number> {
  const ranks = new Map(models.map(({ name }) => [name, 0]));
  const deepest = models.length - 1;
  for (let round = 0; round < models.length; round += 1) {
    for (const { name, refersTo } of models) {
      const next = Math.min(deepest, (ranks.get(name) ?? 0) + 1);
      for (const target of refersTo)
        if (target !== name && !reaches(models, target, name))
          ranks.set(target, Math.max(ranks.get(target) ?? 0, next));
    }
  }
  return ranks;
}

/** Whether references lead from one model to another: a circle has no left and right. */
function reaches(models: readonly PictureModel[], from: string, to: string): boolean {
  const seen = new Set<string>();
  const visit = (name: string): boolean => {
    if (name === to) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return models.find((model) => model.name === name)?.refersTo.some(visit) ?? false;
  };
  return visit(from);
}

function arrowsOf(models: readonly PictureModel[], boxes: readonly Box[]): readonly Arrow[] {
  const boxOf = new Map(boxes.map((box) => [box.name, box]));
  return models.flatMap(({ name, refersTo }) =>
    [...new Set(refersTo)].flatMap((target) => {
      const [from, to] = [boxOf.get(name), boxOf.get(target)];
      return from && to ? [{ from: name, to: target, path: pathBetween(from, to) }] : [];
    }),
  );
}

function pathBetween(from: Box, to: Box): string {
  const [y1, y2] = [from.y + BOX_HEIGHT / 2, to.y + BOX_HEIGHT / 2];
  const x1 = from.x + from.width;
  if (from.x < to.x) {
    const bend = Math.max(24, (to.x - x1) / 2);
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${to.x - bend} ${y2} ${to.x - 5} ${y2}`;
  }
  if (from === to) {
    const [middle, bottom] = [from.x + from.width / 2, from.y + BOX_HEIGHT];
    const [left, right, below] = [middle - 10, middle + 10, bottom + LOOP];
    return `M${right} ${bottom}C${right} ${below} ${left} ${below} ${left} ${bottom + 5}`;
  }
  // Up or down the same column, or back: around the right side of both.
  const x2 = to.x + to.width;
  const bend = Math.max(x1, x2) + 36;
  return `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2 + 5} ${y2}`;
}
