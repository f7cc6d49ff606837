import type { Element } from './document.ts';
import { inBody, inDetails } from './mail.ts';
import type { Mail } from './mail.ts';
import type { Edit } from './model.ts';
import { contentStart } from './sentDocument.ts';

/** Adds text, an attribute say, behind an element's name. */
export function addAttribute({ email: { body } }: Mail, { start, openEnd }: Element, attribute: string): Edit {
  const name = /^<[^\s/>]+/u.exec(body.slice(start, openEnd))?.[0] ?? '<';
  const at = start + name.length;
  return { ...inBody(at, at), text: ` ${attribute}` };
}

/** Gives an attribute of an element another value, whether it has it or not. */
export function setAttribute(mail: Mail, element: Element, name: string, value: string): Edit {
  const attribute = element.attribute(name);
  const text = `${name}="${value}"`;
  return attribute ? { ...inBody(attribute.start, attribute.end), text } : addAttribute(mail, element, text);
}

/** Adds declarations to an element's style attribute. */
export function addStyle(mail: Mail, element: Element, declarations: string): Edit {
  const style = element.attribute('style');
  if (!style || style.quote === '')
    return setAttribute(mail, element, 'style', [element.get('style') ?? '', declarations].filter(Boolean).join('; '));
  const before = mail.email.body.slice(style.valueStart, style.valueEnd);
  const separator = /(?:^|;)\s*$/u.test(before) ? '' : ';';
  return { ...inBody(style.valueEnd, style.valueEnd), text: `${separator}${declarations}` };
}

export const insert = (at: number, text: string): Edit => ({ ...inBody(at, at), text });

/** Puts tags around all content of a body without `<body>`. */
export const wrapContent = (
  { authored, email: { body }, sentRange: { end } }: Mail,
  open: string,
  close: string,
): readonly Edit[] => [insert(contentStart(body, authored), open), insert(end, close)];

/** Sets an attribute of `<body>`, or of a `<div>` around all content where there is none. */
export function setOnBody(mail: Mail, name: string, value: string): readonly Edit[] {
  const [body] = mail.named('body');
  return body ? [setAttribute(mail, body, name, value)] : wrapContent(mail, `<div ${name}="${value}">`, '</div>');
}

/** Adds text at the end of the headers field. */
export function addHeaders({ email: { headers = '' } }: Mail, text: string): Edit {
  const at = headers.length;
  return { ...inDetails('headers', at, at), text: headers === '' || headers.endsWith('\n') ? text : `\n${text}` };
}
