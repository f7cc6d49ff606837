/** Where the parts of a whole document begin and end in its text. Absent where the text has none. */
export interface Landmarks {
  /** Offset behind `<!doctype …>`. */
  readonly doctypeEnd?: number;
  /** Offset behind the tag `<html …>`. */
  readonly htmlEnd?: number;
  /** Offset behind the tag `<head …>`. */
  readonly headEnd?: number;
  /** Offset of `</head>`. */
  readonly headClose?: number;
  /** Offset of `<body …>`. */
  readonly bodyStart?: number;
  /** Offset behind the tag `<body …>`. */
  readonly bodyEnd?: number;
}

type MutableLandmarks = { -readonly [name in keyof Landmarks]: number };

/** Elements whose content holds no tags (https://html.spec.whatwg.org/#parsing-html-fragments). */
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

/** The offset behind the tag that opens at `start`: quoted values may hold a `>`. An unfinished tag reaches to the end. */
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

/** Finds the parts of a document, whatever else its text holds: tags in comments and in stylesheets don't count. */
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
    // Behind the body's tag there is nothing left to find.
    if (landmarks.bodyEnd !== undefined) break;
    opener.lastIndex = rawTextElements.has(name) ? findRawTextEnd(text, name, end) : end;
  }
  return landmarks;
}
