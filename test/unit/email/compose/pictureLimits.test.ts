import assert from 'node:assert/strict';
import { isExcessivePicture, limitPictures, limitStylePictures } from '../../../../src/email/checks/pictureLimits.ts';
import { createReport } from '../../../../src/email/report/index.ts';

const ns = 'xmlns="http://www.w3.org/2000/svg"';
/** Each level draws the one before ten times. */
const nested = `<svg ${ns}><rect id="a0" width="9" height="9"/>${Array.from(
  { length: 8 },
  (_, level) => `<g id="a${level + 1}">${`<use href="#a${level}"/>`.repeat(10)}</g>`,
).join('')}</svg>`;
const harmless = `<svg ${ns}><linearGradient id="g"/><path d="M0 0h9v9z" fill="url(#g)"/><use href="#p"/></svg>`;

const toBase64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64');
/** All ways to write an SVG as an address. */
const encode = (svg: string) => [
  `data:image/svg+xml,${encodeURIComponent(svg)}`,
  `data:image/svg+xml;charset=utf-8,${svg.replaceAll('#', '%23').replaceAll('"', "'")}`,
  `DATA:image/SVG+xml;base64,${toBase64(svg)}`,
  ` data:image/svg+xml;charset=utf-8;base64,${encodeURIComponent(toBase64(svg))}`,
  `da\tta:image/svg+xml; base64 ,${toBase64(svg).replace(/.{76}/gu, '$&\n')}`,
];

const uint = (size: number, value: number, isLittle = false) => {
  const bytes = Buffer.alloc(size);
  if (isLittle) bytes.writeUIntLE(value, 0, size);
  else bytes.writeUIntBE(value, 0, size);
  return bytes.toString('latin1');
};
/** Headers of pictures with a width and a height. */
const headers: Readonly<Record<string, (width: number, height: number) => string>> = {
  png: (w, h) => `\x89PNG\r\n\x1a\n${uint(4, 13)}IHDR${uint(4, w)}${uint(4, h)}\b\x06\0\0\0`,
  gif: (w, h) => `GIF89a${uint(2, w, true)}${uint(2, h, true)}\0\0\0;`,
  'gif by its frame': (w, h) =>
    `GIF89a\x01\0\x01\0\x80\0\0${'\0'.repeat(6)}!\xf9\x04\0\0\0\0\0,\0\0\0\0${uint(2, w, true)}${uint(2, h, true)}\0`,
  jpeg: (w, h) =>
    `\xff\xd8\xff\xe1${uint(2, 9)}\xff\xc0\x01\x01\x01\x01\x01\xff\xd0\xff\xff\xc2${uint(2, 17)}\b${uint(2, h)}${uint(2, w)}\x03`,
  webp: (w, h) => `RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0${uint(3, w - 1, true)}${uint(3, h - 1, true)}`,
  'lossy webp': (w, h) => `RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a${uint(2, w, true)}${uint(2, h, true)}`,
  'lossless webp': (w, h) => `RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f${uint(4, ((w - 1) | ((h - 1) << 14)) >>> 0, true)}`,
  bmp: (w, h) => `BM${'\0'.repeat(12)}${uint(4, 40, true)}${uint(4, w, true)}${uint(4, 2 ** 32 - h, true)}`,
  'old bmp': (w, h) => `BM${'\0'.repeat(12)}${uint(4, 12, true)}${uint(2, w, true)}${uint(2, h, true)}`,
};

describe('limits of pictures', () => {
  for (const [name, make] of Object.entries(headers))
    it(`read the header: ${name}`, () => {
      assert.equal(isExcessivePicture('image/png', make(10_000, 4_001)), true);
      assert.equal(isExcessivePicture('image/png', make(10_000, 4_000)), false);
      const address = `data:image/png;base64,${toBase64(make(16_000, 16_000), 'latin1')}`;
      assert.notEqual(limitPictures('src', address), address);
    });

  it('refuse an SVG that draws its content repeatedly, however it is written', () => {
    for (const address of encode(nested)) {
      for (const name of ['src', 'background', 'poster', 'href', 'xlink:href'])
        assert.equal(limitPictures(name, address), 'data:,#excessive', address);
      const style = `background: url("${address.replaceAll('\n', '').replaceAll('"', '%22')}")`;
      assert.equal(
        limitPictures('style', style),
        style.replace(/(?<=")[^"]*(?=")/u, (written) =>
          written.startsWith(' ') ? ' data:,#excessive' : 'data:,#excessive',
        ),
      );
      if (!/\s/u.test(address))
        assert.equal(limitPictures('srcset', `a.png 1x, ${address} 2x`), 'a.png 1x, data:,#excessive 2x');
    }
    const address = encode(nested)[2] ?? '';
    for (const css of [
      `p{background:url(${address})}`,
      `p{background:u\\72l( '${address.replace('DATA', '\\64 ata')}' )}`,
      `p{--a:"${address}";background:image-set(var(--a))}`,
    ])
      assert.ok(limitStylePictures(css).includes('data:,#excessive'), css);
  });

  it('refuse what could hide in an SVG', () => {
    for (const content of [
      `<!DOCTYPE svg [<!ENTITY a "b">]>${harmless}`,
      nested.replaceAll('<use', '<x:USE'),
      `<svg ${ns}><marker/></svg>`,
      `<svg ${ns}>${'<a/>'.repeat(20_000)}</svg>`,
      `<svg ${ns}><image href="data:image/svg+xml,%3Csvg/%3E"/></svg>`,
      `<svg ${ns}><image href="&#x64;ata:image/png;base64,${toBase64(headers['png']?.(20_000, 20_000) ?? '', 'latin1')}"/></svg>`,
      [...nested].join('\0'),
      nested.replaceAll('<use', '<u\x1b(Bse'),
    ])
      assert.equal(isExcessivePicture('image/svg+xml', content), true, content.slice(0, 200));
  });

  it('keep other addresses and pictures', () => {
    for (const address of [
      ...encode(harmless),
      'https://x.example/data:image/svg+xml,a',
      'data:,',
      'data:image/png;base64,%%%',
    ])
      assert.equal(limitPictures('src', address), address);
    const css = 'p{background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=);content:"data: \\201c"}';
    assert.equal(limitStylePictures(css), css);
  });

  it('apply to the report', () => {
    const [, , address = ''] = encode(nested);
    const body = [
      `<style>p{background:url(${address})}</style><svg><style>p{background:url(${address.replace('D', '&#68;')})}</style><image href="${address}"/></svg>`,
      `<img src="${address}&nesim;"><p style="background:url(${address})">x</p><img srcset="${address} 2x">`,
    ].join('');
    const html = createReport(
      [
        {
          name: 'a',
          email: { body },
          sending: { profile: 'documented' },
          checks: {},
          pictures: new Map(),
          omittedPictures: new Set(),
        },
      ],
      'HEAD',
    );
    assert.ok(html.includes('data:,#excessive'));
    const [frames = ''] = html.match(/<div class="frames">[^]*<\/iframe>/u) ?? [];
    assert.ok(!frames.includes(toBase64(nested).slice(0, 60)));
  });
});
