/** Replicates the service's text replacements for links and images before CSS inlining. */

export function prepareImages(html: string): string {
  return addAlignment(addDimensions(removeAnchorTargets(html)));
}

/** Removes `target="_blank"` from links within the email. */
function removeAnchorTargets(html: string): string {
  return html.replace(/(<a +href="#[^"]*?"[^>]*?) target="_blank"([^>]*?>)/gi, '$1 $2');
}

/** Copies the pixel width and height of an image's style to its attributes. */
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

/** Adds `align` to a floating image, and `hspace` from its margin. */
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
