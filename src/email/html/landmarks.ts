/** Offsets of a document's parts in its text. Absent parts are undefined. */
export interface Landmarks {
  /** Offset after `<!doctype …>`. */
  readonly doctypeEnd?: number;
  /** Offset after `<html …>`. */
  readonly htmlEnd?: number;
  /** Offset after `<head …>`. */
  readonly headEnd?: number;
  /** Offset of `</head>`. */
  readonly headClose?: number;
  /** Offset of `<body …>`. */
  readonly bodyStart?: number;
  /** Offset after `<body …>`. */
  readonly bodyEnd?: number;
}

type MutableLandmarks = { -readonly [name in keyof Landmarks]: number };

/** Elements whose content is not parsed for tags (https://html.spec.whatwg.org/#parsing-html-fragments). */
const rawTextElements = new Set(['style', 'script', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes']);

const landmarkSetters: Readonly<Record<string, (landmarks: MutableLandmarks, start: number, end: number) => void>> = {
  html: (landmarks, _start, end) => {
    landmarks.htmlEnd ??= end;
  },
  head: (landmarks, _start, end) => {
    landmarks.headEnd ??= end;
  },
  '/head': (landmarks, start) => {
    landmarks.headClose ??= start;
  },
  body: (landmarks, start, end) => {
    landmarks.bodyStart ??= start;
    landmarks.bodyEnd ??= end;
  },
};

/**
 * Returns the offset after the tag that starts at `start`. Quoted values may contain `>`. An unfinished tag extends to the end of the
 * text.
 */
export function findTagEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const char = text[at];
    if (char === '>') return at + 1;
    if ((char === '"' || char === "'") && /=\s*$/.test(text.slice(Math.max(start, at - 16), at))) {
      const close = text.indexOf(char, at + 1);
      if (close < 0) return text.length;
      at = close;
    }
    at += 1;
  }
  return text.length;
}

function findCommentEnd(text: string, start: number): number {
  if (text.startsWith('<!-->', start)) return start + 5;
  const close = text.indexOf('-->', start + 2);
  return close < 0 ? text.length : close + 3;
}

function findRawTextEnd(text: string, name: string, from: number): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  close.lastIndex = from;
  return close.exec(text)?.index ?? text.length;
}

/** Finds the parts of a document. Ignores tags in comments and stylesheets. */
export function findLandmarks(text: string): Landmarks {
  const landmarks: MutableLandmarks = {};
  const opener = /<(?:!--|!doctype|(\/?[a-z][^\s/>]*))/gi;
  for (let match = opener.exec(text); match; match = opener.exec(text)) {
    const start = match.index;
    const name = match[1]?.toLowerCase();
    if (name === undefined) {
      const doctype = match[0].length > 4;
      opener.lastIndex = doctype ? findTagEnd(text, start) : findCommentEnd(text, start);
      if (doctype) landmarks.doctypeEnd ??= opener.lastIndex;
      continue;
    }
    const end = findTagEnd(text, start + match[0].length);
    if (Object.hasOwn(landmarkSetters, name)) landmarkSetters[name]?.(landmarks, start, end);
    // All landmarks come before the end of the body's start tag.
    if (landmarks.bodyEnd !== undefined) break;
    opener.lastIndex = rawTextElements.has(name) ? findRawTextEnd(text, name, end) : end;
  }
  return landmarks;
}
