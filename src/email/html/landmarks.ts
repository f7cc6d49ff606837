/** Offsets of a document's parts in its text. Absent parts are undefined. */
interface Landmarks {
  /** Offset after `<!doctype …>`. */
  doctypeEnd?: number;
  /** Offset after `<html …>`. */
  htmlEnd?: number;
  /** Offset after `<head …>`. */
  headEnd?: number;
  /** Offset of `</head>`. */
  headClose?: number;
  /** Offset of `<body …>`. */
  bodyStart?: number;
  /** Offset after `<body …>`. */
  bodyEnd?: number;
}

/** Elements whose content is not parsed for tags (https://html.spec.whatwg.org/#parsing-html-fragments). */
const rawTextElements = new Set('style script title textarea xmp iframe noembed noframes'.split(' '));

/**
 * Returns the offset after the tag that starts at `start`. Quoted values may contain `>`. An unfinished tag extends to the end of the
 * text.
 */
function findTagEnd(text: string, start: number) {
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

/** Returns the offset after the comment that starts at `start`. */
export function findCommentEnd(text: string, start: number): number {
  if (text.startsWith('<!-->', start)) return start + 5;
  const close = text.indexOf('-->', start + 2);
  return close < 0 ? text.length : close + 3;
}

function findRawTextEnd(text: string, name: string, from: number) {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  close.lastIndex = from;
  return close.exec(text)?.index ?? text.length;
}

/** Finds the parts of a document. Ignores tags in comments and stylesheets. */
export function findLandmarks(text: string): Readonly<Landmarks> {
  const landmarks: Landmarks = {};
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
    if (name === 'html') landmarks.htmlEnd ??= end;
    if (name === 'head') landmarks.headEnd ??= end;
    if (name === '/head') landmarks.headClose ??= start;
    if (name === 'body') {
      landmarks.bodyStart = start;
      landmarks.bodyEnd = end;
    }
    // All landmarks come before the end of the body's start tag.
    if (landmarks.bodyEnd !== undefined) break;
    opener.lastIndex = rawTextElements.has(name) ? findRawTextEnd(text, name, end) : end;
  }
  return landmarks;
}
