import type { BodyElement } from './document.ts';
import { bodyRange, detailsRange } from './parsedEmail.ts';
import type { ParsedEmail } from './parsedEmail.ts';
import type { PartEdit } from './model.ts';
import { findContentStart } from './sentDocument.ts';

/** Inserts an attribute after an element's name. */
export function addAttributeEdit(
  { email: { body } }: ParsedEmail,
  { start, openEnd }: BodyElement,
  attribute: string,
): PartEdit {
  const name = /^<[^\s/>]+/u.exec(body.slice(start, openEnd))?.[0] ?? '<';
  const at = start + name.length;
  return { ...bodyRange(at, at), text: ` ${attribute}` };
}

/** Sets an attribute of an element. */
export function setAttributeEdit(mail: ParsedEmail, element: BodyElement, name: string, value: string): PartEdit {
  const attribute = element.attribute(name);
  const text = `${name}="${value}"`;
  return attribute ? { ...bodyRange(attribute.start, attribute.end), text } : addAttributeEdit(mail, element, text);
}

/** Appends declarations to an element's style attribute. */
export function addStyleEdit(mail: ParsedEmail, element: BodyElement, declarations: string): PartEdit {
  const style = element.attribute('style');
  if (!style || style.quote === '')
    return setAttributeEdit(
      mail,
      element,
      'style',
      [element.get('style') ?? '', declarations].filter(Boolean).join('; '),
    );
  const before = mail.email.body.slice(style.valueStart, style.valueEnd);
  const separator = /(?:^|;)\s*$/u.test(before) ? '' : ';';
  return { ...bodyRange(style.valueEnd, style.valueEnd), text: `${separator}${declarations}` };
}

export const insertEdit = (at: number, text: string): PartEdit => ({ ...bodyRange(at, at), text });

/** Wraps the content of a body without `<body>` in tags. */
export const wrapContentEdits = (
  { authored, email: { body }, sentRange: { end } }: ParsedEmail,
  open: string,
  close: string,
): readonly PartEdit[] => [insertEdit(findContentStart(body, authored), open), insertEdit(end, close)];

/** Sets an attribute of `<body>`, or wraps the content in a `<div>` with it if there is no `<body>`. */
export function setBodyAttributeEdits(mail: ParsedEmail, name: string, value: string): readonly PartEdit[] {
  const [body] = mail.getElements('body');
  return body
    ? [setAttributeEdit(mail, body, name, value)]
    : wrapContentEdits(mail, `<div ${name}="${value}">`, '</div>');
}

/** Appends text to the headers field. */
export function appendHeadersEdit({ email: { headers = '' } }: ParsedEmail, text: string): PartEdit {
  const at = headers.length;
  return { ...detailsRange('headers', at, at), text: headers === '' || headers.endsWith('\n') ? text : `\n${text}` };
}
