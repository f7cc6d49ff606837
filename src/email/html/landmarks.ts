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
export const rawTextElements: ReadonlySet<string> = new Set(
  'style script title textarea xmp iframe noembed noframes'.split(' '),
);

/** An attribute with the blanks before it. An unclosed quote extends to the end of the text. */
const tagAttribute =
  /[ \t\n\r\f/]*[^ \t\n\r\f/>][^ \t\n\r\f/>=]*(?:[ \t\n\r\f]*=[ \t\n\r\f]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^ \t\n\r\f>"'][^ \t\n\r\f>]*)?)?/y;

/** Returns the offset after a tag. `nameEnd`: the offset after its name. An unfinished tag extends to the end of the text. */
export function findTagEnd(text: string, nameEnd: number): number {
  let end = nameEnd;
  tagAttribute.lastIndex = nameEnd;
  while (tagAttribute.test(text)) end = tagAttribute.lastIndex;
  const close = text.indexOf('>', end);
  return close < 0 ? text.length : close + 1;
}

/** Returns the offset after the comment that starts at `start`. */
export function findCommentEnd(text: string, start: number): number {
  if (text.startsWith('<!-->', start)) return start + 5;
  const close = text.indexOf('-->', start + 2);
  return close < 0 ? text.length : close + 3;
}

/** Returns the offset of the end tag of an element whose content is not parsed for tags. */
export function findRawTextEnd(text: string, name: string, from: number): number {
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
