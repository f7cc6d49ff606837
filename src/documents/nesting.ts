/** Deeper than any record's details; parsers and whoever walks what they give would exhaust the stack somewhere beyond. */
const deepest = 100;

/** Where the text of a JSON document first goes deeper than any record does, in UTF-16 units; undefined where it nowhere does. */
export function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isInString) {
      if (sign === '\\') at += 1;
      // A string that is not closed ends with its line.
      else if (sign === '"' || sign === '\n' || sign === '\r') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > deepest) return at;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return undefined;
}
