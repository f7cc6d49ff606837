/** What the service does to links and images before it inlines the CSS: for Outlook, and by their text. */

export function prepareImages(html: string): string {
  return addAlignment(addDimensions(removeAnchorTargets(html)));
}

/** A link to a place within the email opens in no new window. */
function removeAnchorTargets(html: string): string {
  return html.replace(/(<a +href="#[^"]*?"[^>]*?) target="_blank"([^>]*?>)/gi, '$1 $2');
}

/** Width and height in pixels of an image's style become attributes. */
function addDimensions(html: string): string {
  return html.replace(/<img([^>]*>)/gi, (tag, rest: string) => {
    const added = ['width', 'height'].flatMap((name) => {
      const size = new RegExp(`[^a-z_-]${name} *:([0-9 ]{1,8})px`, 'i').exec(tag)?.[1];
      const isMissing = size === undefined || size === '0' || new RegExp(`${name} *=`, 'i').test(tag);
      return isMissing ? [] : [`${name}="${size.trim()}" `];
    });
    return added.length > 0 ? `<img ${added.join(' ')}${rest}` : tag;
  });
}

/** A floating image gets `align`, and `hspace` from its margin. */
function addAlignment(html: string): string {
  return html.replace(/< *img[^>]*>/gi, (tag) => {
    const side = tag.includes('align=')
      ? undefined
      : /style="[^"]*?float *?: *?(right|left|top|bottom|middle)/i.exec(tag)?.[1];
    if (side === undefined) return tag;
    const aligned = tag.replaceAll('<img', `<img align="${side}" `);
    return tag.includes('hspace=') ? aligned : aligned.replaceAll('<img', `<img hspace="${getHorizontalSpace(tag)}" `);
  });
}

function getHorizontalSpace(tag: string): string {
  const margins = /margin(?:-right|-left)? *:([^";]*)/i.exec(tag)?.[1]?.trim().split(' ') ?? [];
  const margin = margins[1] ?? margins[0] ?? '';
  return margin.includes('px') ? margin.replace(/[^0-9]/g, '') : '5';
}
