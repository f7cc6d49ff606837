/** The rules that the service adds before the author's CSS for its own editor and inserted articles. Only the class selectors without an id apply to handwritten emails. */
const insertedContent = '#acym__wysid__template .acymailing_content';

export const emailFixes = [
  '@media only screen and (max-device-width:479px){.acymailing_content *[valign=middle]{width:auto}}',
  '@media only screen and (max-width:479px){.acymailing_content *[valign=middle]{width:auto}}',
  `${insertedContent}{margin-bottom:10px}`,
  `${insertedContent} *[valign=middle] .content_main_image{margin-left:auto !important;margin-right:auto !important}`,
  `${insertedContent} .content_main_image_caption{text-align:center}`,
  `${insertedContent} .acydescription img{display:inline-block}`,
  `${insertedContent} .acymailing_readmore{margin-top:10px;display:block}`,
  `${insertedContent} td.cflabel,${insertedContent} td.cfvalue{padding:.2rem .625rem}`,
  `${insertedContent} img{height:auto}`,
  '.alignleft{float:left;margin:.5em 1em .5em 0}',
  '.aligncenter{display:block;margin-left:auto;margin-right:auto}',
  '.alignright{float:right;margin:.5em 0 .5em 1em}',
  '.revealonline{display:none}',
  '.screen-reader-text{display:none !important}',
  '.acym__featured__event__email{background:#f4f4f4;border:1px solid #d1d5db;padding:.875rem !important;margin-bottom:1rem}',
  '.acym__featured__event__email__highlight{font-weight:bold;color:#00a3fe !important;margin-bottom:.5rem !important}',
].join('');
