/** Counting of opens and clicks as the service does it: a picture at the end, and each link by way of the site. */

const link = /(<[^<>]*? href *= *")(?!mailto:|#|ymsgr:|callto:|file:|ftp:|webcal:|skype:|tel:)([^"]+?)"/gi;
/** Links that go where they say: what unsubscribes, changes or must not be followed. */
const untracked = /.(?:task=unsub|task=disableTracking|fonts\.googleapis\.com)|passw|modify/i;

/** Ids are known only once it is sent: these have the usual length, so that the size is right. */
const ids = { mail: 1000, person: 10000, firstLink: 1000, key: 'KEY0000000001' } as const;

export function trackLinks(html: string, site: string): string {
  const page = `${site}index.php?page=acymailing_front&ctrl=`;
  const opened = `${page}frontstats&task=openStats&id=${ids.mail}&userid=${ids.person}&noheader=1`;
  const picture = `<img class="spict" alt="" src="${opened}"  border="0" width="50" height="1" />`;
  let id = ids.firstLink - 1;
  let outlookButton: string | undefined;
  return html
    .replaceAll('</body>', () => `${picture}</body>`)
    .replace(link, (whole, start: string, address: string) => {
      if (untracked.test(address)) return whole;
      // Outlook's button and the link beside it count as one.
      if (address !== outlookButton) id += 1;
      outlookButton = start.startsWith('<v:roundrect') ? address : undefined;
      return `${start}${page}fronturl&task=click&urlid=${id}&userid=${ids.person}&mailid=${ids.mail}&noheader=1&userkey=${ids.key}"`;
    });
}
