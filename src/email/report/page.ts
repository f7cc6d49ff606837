import { getDisplayLanguage, plural, t } from '../../l10n.ts';
import { escapeHtml, formatKilobytes } from '../compose/compose.ts';
import { toDisplayText } from '../compose/fieldText.ts';
import { MAX_PICTURE_BYTES, MAX_REPORT_PICTURE_BYTES } from '../html/pictures.ts';

/** An email of a report as HTML, and its entry in the table of contents. */
export interface ReportSection {
  readonly entry: string;
  readonly html: string;
}

/** No request, no script, no form: of the email, only pictures and fonts within it are shown. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";
export const headTags = `<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off">`;

const pageStyle = `
:root { color-scheme: light; font: 14px/1.5 system-ui, sans-serif; color: #1f1f1f; background: #f4f4f5; }
body { max-width: 1400px; margin: 0 auto; padding: 12px; }
section { margin-block: 24px; padding: 16px 12px; background: #fff; border: 1px solid #d9d9de; border-radius: 8px; }
h1 { font-size: 22px; margin: 0 0 8px; } h2 { font-size: 18px; margin: 0 0 12px; } h3 { font-size: 14px; margin: 20px 0 6px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0; } dt { color: #5c5c66; } dd { margin: 0; }
dd, li, td { overflow-wrap: anywhere; }
ins { background: #dcf5e3; text-decoration: none; } del { background: #fbe3e4; }
.frames { display: flex; flex-wrap: wrap; align-items: start; gap: 12px; margin-top: 20px; }
figure { flex: 1 1 600px; min-width: 0; margin: 0; } figure.phone { flex: 0 0 377px; }
figcaption { margin-bottom: 4px; font-weight: 600; }
iframe { display: block; width: 100%; border: 1px solid #b9b9c2; background: #fff; }
ul { margin: 0; padding-inline-start: 24px; } header p { margin: 4px 0; }
@media print {
  :root { background: none; font-size: 11px; } body { max-width: none; padding: 0; }
  section { border: 0; padding: 0; margin: 0; break-before: page; }
  .frames { gap: 8px; } figure { flex-basis: 45%; } figure.phone { flex: 0 0 45%; } iframe { zoom: 0.55; } figure.phone iframe { width: 377px; zoom: 0.8; }
}`;

/** Returns untrusted text as HTML. */
export const toHtml = (text: string) => escapeHtml(toDisplayText(text));

/** Returns a report as an HTML file. @param base name of the version that the emails are compared with */
export function createReportPage(sections: readonly ReportSection[], base: string): string {
  const title = toHtml(plural(sections.length, t('Review of {0} email'), t('Review of {0} emails')));
  const [one = '', all = ''] = [MAX_PICTURE_BYTES, MAX_REPORT_PICTURE_BYTES].map(formatKilobytes);
  const note = t`The emails as they are sent, with merge tags. Blocks that differ from ${base} are outlined.`;
  const cap = t`Images of the workspace are included up to ${one} each and ${all} in total. Remote images aren't loaded: they are listed as links.`;
  return `<!doctype html>
<html lang="${escapeHtml(getDisplayLanguage().language)}"><head><meta charset="utf-8">${headTags}
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${pageStyle}</style></head>
<body><header><h1>${title}</h1><p>${toHtml(note)}</p><p>${toHtml(cap)}</p>
${sections.map(({ entry }) => entry).join('')}</header><main>${sections.map(({ html }) => html).join('')}</main></body></html>
`;
}
