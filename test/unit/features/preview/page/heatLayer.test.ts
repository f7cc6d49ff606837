import assert from 'node:assert/strict';
import { placeBadges, type Badge, type PlacedBadge } from '../../../../../src/features/preview/page/heatLayer.ts';
import { mergeBoxes, getOverlap } from '../../../../../src/features/preview/page/heatBoxes.ts';

const sizes = [
  { width: 60, height: 18 },
  { width: 34, height: 18 },
];
const at = (left: number, top: number, width = 80, height = 20): Badge => ({
  boxes: [{ left, top, width, height }],
  sizes,
});
const getBox = ({ left, top, text }: PlacedBadge) => ({ left, top, ...(sizes[text] ?? { width: 0, height: 0 }) });

describe('placeBadges', () => {
  it('places badges on the upper right corner of large boxes, within the email', () => {
    assert.deepEqual(placeBadges([at(100, 100, 80, 40), at(300, 0, 80, 40), at(0, 300, 20, 40)], 360), [
      { left: 126, top: 91, text: 0 },
      { left: 300, top: 0, text: 0 },
      { left: 0, top: 291, text: 0 },
    ]);
  });

  it('places badges beside a line of text, and avoids the text of other links', () => {
    assert.deepEqual(placeBadges([at(100, 100), at(200, 100), at(10, 200, 340)], 360), [
      { left: 120, top: 81, text: 0 },
      { left: 283, top: 101, text: 0 },
      { left: 290, top: 181, text: 0 },
    ]);
  });

  it('avoids overlaps, uses shorter texts in less space, and omits badges without space', () => {
    const badges = Array.from({ length: 60 }, (_, n) => at((n % 10) * 30, 40 + Math.floor(n / 10) * 16, 28, 14));
    const placed = placeBadges(badges, 320);
    const shown = placed.filter((place) => place !== undefined);
    assert.ok(shown.length > 10 && shown.length < badges.length);
    assert.ok(shown.some(({ text }) => text === 1));
    assert.ok(placed[0], 'The first come first.');
    for (const [n, one] of shown.entries())
      for (const other of shown.slice(n + 1)) assert.equal(getOverlap(getBox(one), getBox(other)), 0);
  });
});

describe('mergeBoxes', () => {
  it('merges a picture with its line, and keeps lines of text separate', () => {
    const picture = { left: 0, top: 0, width: 200, height: 100 };
    assert.deepEqual(mergeBoxes([{ left: 0, top: 86, width: 200, height: 18 }, picture]), [
      { left: 0, top: 0, width: 200, height: 104 },
    ]);
    const lines = [
      { left: 150, top: 0, width: 50, height: 18 },
      { left: 0, top: 16, width: 90, height: 18 },
    ];
    assert.deepEqual(mergeBoxes(lines), lines);
  });

  it('merges boxes that a third one connects', () => {
    const [left, right] = [
      { left: 0, top: 0, width: 40, height: 10 },
      { left: 60, top: 0, width: 40, height: 10 },
    ];
    assert.deepEqual(mergeBoxes([left, right, { left: 0, top: 0, width: 100, height: 10 }]), [
      { left: 0, top: 0, width: 100, height: 10 },
    ]);
  });
});
