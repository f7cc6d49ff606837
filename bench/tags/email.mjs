const tags = [
  '{subscriber:name|part:first|default:friend}',
  '<a href="{unsubscribe}{/unsubscribe}">Leave</a>',
  '{if:City=Dublin}in Dublin{/if}',
  '{date:j F Y}',
  '%7Bsubscriber%3Aid%7D',
  '{list:name}',
];

/** An email of so many bytes with a tag in each row, 200 in one of 177 KB; halves of pairs are counted as one. @param {number} bytes */
export function email(bytes) {
  const words = 'lorem ipsum dolor sit amet, '.repeat(28);
  const row = (/** @type {number} */ index) =>
    `<tr><td style="padding:0 16px;color:#333333" class="x">${words}${tags[index % tags.length]}</td></tr>\n`;
  const rows = Array.from({ length: Math.round((200 * bytes) / (177 * 1024)) }, (_, index) => row(index));
  return `<table>${rows.join('')}</table>`.padEnd(bytes);
}
