/** The position of text (ISO 32000-2, 9.4.2 and 9.4.4). */

export type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number];
export type Point = { x: number; y: number };

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** The matrix that does first `m`, then `n`. */
export const times = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[1] * n[2],
  m[0] * n[1] + m[1] * n[3],
  m[2] * n[0] + m[3] * n[2],
  m[2] * n[1] + m[3] * n[3],
  m[4] * n[0] + m[5] * n[2] + n[4],
  m[4] * n[1] + m[5] * n[3] + n[5],
];

export class TextPosition {
  private line: Matrix = identity;
  matrix: Matrix = identity;
  isInText = false;
  /** False after text of unknown width, until the next place is given. */
  isKnown = true;

  begin() {
    this.place(identity);
    this.isInText = true;
  }

  place(matrix: Matrix) {
    [this.matrix, this.line, this.isKnown] = [matrix, matrix, true];
  }

  /** From where the line began. */
  move(x: number, y: number) {
    this.place(times([1, 0, 0, 1, x, y], this.line));
  }

  advance(x: number) {
    this.matrix = times([1, 0, 0, 1, x, 0], this.matrix);
  }

  /** A point of the page, so far behind and above the present one. */
  point(ctm: Matrix, x: number, y: number): Point {
    const [, , , , e, f] = times([1, 0, 0, 1, x, y], times(this.matrix, ctm));
    return { x: e, y: f };
  }
}
