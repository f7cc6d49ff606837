import type { Draft, Edit } from './draft.ts';

/** Marks that other extensions of a site put into texts: the service takes them out of the body. */
const marks =
  /\{\/?(?:reg|pub)\}|\{(?:tab[ =][^{}]*|\/tabs|jcomments\s+(?:on|off|lock)|youtube[^{}]+)\}|\{youtube\}(?:([^{]*)\{\/youtube\})?|\{vimeo\}([^{]+)\{\/vimeo\}/gi;

/** What the service takes out of the body before it looks at conditions, and addresses of pictures that values put blanks into. */
export function cuts(draft: Draft): Edit[] {
  const { text } = draft;
  const edits = [...text.matchAll(marks)].map((match): Edit => ({
    start: match.index,
    end: match.index + match[0].length,
    parts: [match[1] !== undefined ? youtube(match[1]) : match[2] !== undefined ? vimeo(match[2]) : ''],
  }));
  return [...edits, ...blanksOfPictures(draft)]
    .sort((one, other) => one.start - other.start)
    .filter(({ start }, index, all) => start >= (all[index - 1]?.end ?? 0));
}

function youtube(content: string): string {
  const id = /[\s\S]v=([^&]+)/.exec(content)?.[1];
  return id
    ? `<a target="_blank" href="https://www.youtube.com/watch?v=${id}"><img src="https://img.youtube.com/vi/${id}/0.jpg"/></a>`
    : '';
}

const vimeo = (content: string): string =>
  `<iframe src="${content.startsWith('https://vimeo.com/') ? content : `https://player.vimeo.com/video/${content}`}"></iframe>`;

/** The service writes `src="a b"` as `src='a%20b'`. Text of the email itself is left alone here: only what tags put there counts. */
function blanksOfPictures(draft: Draft): Edit[] {
  const isInserted = draft.inserted();
  return [...draft.text.matchAll(/src="([^"]*)"/gi)].flatMap((match) => {
    const start = match.index;
    const end = start + match[0].length;
    const value = match[1] ?? '';
    return value.includes(' ') && isInserted(start, end)
      ? [{ start, end, parts: [`src='${value.replaceAll(' ', '%20')}'`] }]
      : [];
  });
}
