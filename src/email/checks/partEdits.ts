import type { BodyElement } from './document.ts';
import type { PartEdit } from './model.ts';
import { bodyRange, detailsRange, findContentStart, type ParsedEmail } from './parsedEmail.ts';

export const insertEdit = (at: number, text: string): PartEdit => ({ ...bodyRange(at, at), text });

/** Adds an attribute after an element's name. */
export const addAttributeEdit = ({ nameEnd }: BodyElement, attribute: string): PartEdit =>
  insertEdit(nameEnd, ` ${attribute}`);

/** Sets an attribute of an element. */
export function setAttributeEdit(element: BodyElement, name: string, value: string): PartEdit {
  const attribute = element.attribute(name);
  const text = `${name}="${value}"`;
  return attribute ? { ...bodyRange(attribute.start, attribute.end), text } : addAttributeEdit(element, text);
}

/** Wraps the content of a body without `<body>` in tags. */
export const wrapContentEdits = (mail: ParsedEmail, open: string, close: string): readonly PartEdit[] => [
  insertEdit(findContentStart(mail), open),
  insertEdit(mail.sentRange.end, close),
];

/** Sets an attribute of `<body>`, or wraps the content in a `<div>` with it if there is no `<body>`. */
export function setBodyAttributeEdits(mail: ParsedEmail, name: string, value: string): readonly PartEdit[] {
  const [body] = mail.getElements('body');
  return body ? [setAttributeEdit(body, name, value)] : wrapContentEdits(mail, `<div ${name}="${value}">`, '</div>');
}

/** Appends text to the headers field. */
export function appendHeadersEdit({ email: { headers = '' } }: ParsedEmail, text: string): PartEdit {
  const at = headers.length;
  return { ...detailsRange('headers', at, at), text: headers === '' || headers.endsWith('\n') ? text : `\n${text}` };
}
