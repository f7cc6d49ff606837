import { createSvg } from '../dom.ts';
import { createFills, fitText, getSeriesClass, createLabel, textWidth, type Drawing, type Mark } from './svg.ts';

interface Bar {
  /** 0 to 1, or null if unknown. */
  readonly length: number | null;
  /** The text beside the bar. */
  readonly text: string;
  /** The spoken value: "Spring sale: 31.2%". */
  readonly spoken: string;
}

/** A group with one bar for each series. */
interface BarGroup {
  readonly label: string;
  readonly bars: readonly Bar[];
}

const [NAME_HEIGHT_PX, GROUP_GAP_PX, BAR_GAP_PX] = [20, 14, 4];

/**
 * Creates a chart of horizontal bars below their group's name, which can use the full width of a side bar. A single bar's value is beside the name,
 * several bars have theirs at their ends.
 */
export function createBarDrawing(groups: readonly BarGroup[]): Drawing {
  return (width, plot) => {
    const series = Math.max(1, ...groups.map(({ bars }) => bars.length));
    const isAlone = series === 1;
    const height = isAlone ? 14 : 12;
    const groupHeight = NAME_HEIGHT_PX + series * (height + BAR_GAP_PX) - BAR_GAP_PX + GROUP_GAP_PX;
    const texts = groups.flatMap(({ bars }) => bars.map(({ text }) => textWidth(text, plot)));
    const trackWidth = isAlone ? width : width - Math.ceil(Math.max(...texts)) - 8;
    const fills = createFills(series);
    const svg = createSvg('svg', { width, height: groups.length * groupHeight - GROUP_GAP_PX + 1 }, fills.defs);
    const marks: Mark[] = [];
    groups.forEach(({ label, bars }, index) => {
      const top = index * groupHeight;
      bars.forEach(({ length, text, spoken }, at) => {
        const y = top + NAME_HEIGHT_PX + at * (height + BAR_GAP_PX);
        const x = (length ?? 0) * trackWidth;
        const track = createSvg('rect.track', { x: 0, y, width: trackWidth, height, rx: 2 });
        const group = createSvg('g', { class: getSeriesClass(at) }, track);
        if (x > 0) group.append(fills.createRect(at, { y, width: Math.max(2, x), height }));
        if (!isAlone) group.append(createLabel(text, trackWidth + 8, y + height / 2 + 4, { kind: 'label value' }));
        svg.append(group);
        marks.push({ x, y: y + height / 2, title: label, lines: [spoken] });
      });
      const value = isAlone ? (bars[0]?.text ?? '') : '';
      const name = fitText(label, width - textWidth(value, plot) - 12, plot);
      svg.append(createLabel(name, 0, top + 13, { kind: 'label name' }));
      if (value !== '') svg.append(createLabel(value, width, top + 13, { anchor: 'end', kind: 'label value' }));
    });
    return { svg, marks, along: 'y' };
  };
}
