/** Replicates open and click tracking: a pixel at the end of the body, and links that redirect through the site. */

const linkPattern = /(<[^<>]*? href *= *")(?!mailto:|#|ymsgr:|callto:|file:|ftp:|webcal:|skype:|tel:)([^"]+?)"/gi;
/** Links that are never tracked, such as unsubscribe links. */
const untrackedUrlPattern = /.(?:task=unsub|task=disableTracking|fonts\.googleapis\.com)|passw|modify/i;

/** Ids are assigned on sending. These placeholders have the usual length, so that the size is right. */
const placeholderIds = { mail: 1000, person: 10000, firstLink: 1000, key: 'KEY0000000001' } as const;

export function addTracking(html: string, site: string): string {
  const page = `${site}index.php?page=acymailing_front&ctrl=`;
  const opened = `${page}frontstats&task=openStats&id=${placeholderIds.mail}&userid=${placeholderIds.person}&noheader=1`;
  const image = `<img class="spict" alt="" src="${opened}"  border="0" width="50" height="1" />`;
  let id = placeholderIds.firstLink - 1;
  let outlookButton: string | undefined;
  return html
    .replaceAll('</body>', () => `${image}</body>`)
    .replace(linkPattern, (whole, start: string, address: string) => {
      if (untrackedUrlPattern.test(address)) return whole;
      // Outlook's button and the adjacent link share an id.
      if (address !== outlookButton) id += 1;
      outlookButton = start.startsWith('<v:roundrect') ? address : undefined;
      return `${start}${page}fronturl&task=click&urlid=${id}&userid=${placeholderIds.person}&mailid=${placeholderIds.mail}&noheader=1&userkey=${placeholderIds.key}"`;
    });
}
