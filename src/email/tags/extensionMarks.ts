import type { MappedText, MappedEdit } from './mappedText.ts';

/** Marks of other extensions, which the service removes from the body. */
const extensionMarkPattern =
  /\{\/?(?:reg|pub)\}|\{(?:tab[ =][^{}]*|\/tabs|jcomments\s+(?:on|off|lock)|youtube[^{}]+)\}|\{youtube\}(?:([^{]*)\{\/youtube\})?|\{vimeo\}([^{]+)\{\/vimeo\}/gi;

/** Finds extension marks, which the service removes before it evaluates conditions, and image URLs with spaces from tag values. */
export function findExtensionMarks(mapped: MappedText): MappedEdit[] {
  const { text } = mapped;
  const edits = [...text.matchAll(extensionMarkPattern)].map((match): MappedEdit => ({
    start: match.index,
    end: match.index + match[0].length,
    parts: [
      match[1] !== undefined ? formatYoutubeLink(match[1]) : match[2] !== undefined ? formatVimeoFrame(match[2]) : '',
    ],
  }));
  return [...edits, ...encodeImageSpaces(mapped)]
    .sort((one, other) => one.start - other.start)
    .filter(({ start }, index, all) => start >= (all[index - 1]?.end ?? 0));
}

function formatYoutubeLink(content: string): string {
  const id = /[\s\S]v=([^&]+)/.exec(content)?.[1];
  return id
    ? `<a target="_blank" href="https://www.youtube.com/watch?v=${id}"><img src="https://img.youtube.com/vi/${id}/0.jpg"/></a>`
    : '';
}

const formatVimeoFrame = (content: string): string =>
  `<iframe src="${content.startsWith('https://vimeo.com/') ? content : `https://player.vimeo.com/video/${content}`}"></iframe>`;

/** The service writes `src="a b"` as `src='a%20b'`. Only spaces from tag values are encoded here. */
function encodeImageSpaces(mapped: MappedText): MappedEdit[] {
  const isInserted = mapped.createInsertionTest();
  return [...mapped.text.matchAll(/src="([^"]*)"/gi)].flatMap((match) => {
    const start = match.index;
    const end = start + match[0].length;
    const value = match[1] ?? '';
    return value.includes(' ') && isInserted(start, end)
      ? [{ start, end, parts: [`src='${value.replaceAll(' ', '%20')}'`] }]
      : [];
  });
}
