import { inflateRawSync } from 'node:zlib';

/** Returns the encoded forms of a secret, by name. Forms that contain another form are omitted. */
export function listForms(secret: string): ReadonlyMap<string, string> {
  const swapped = [...secret]
    .map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()))
    .join('');
  const forms: [string, string][] = [
    ['plain', secret],
    ['reversed case', swapped],
    ['small letters', secret.toLowerCase()],
    ['capitals', secret.toUpperCase()],
    ['URL-encoded', encodeURIComponent(secret)],
    [
      'URL-encoded throughout',
      [...secret].map((sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
    ],
    ['JSON-escaped', JSON.stringify(secret).slice(1, -1)],
    ['JSON-escaped, with slashes', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    [
      'HTML-escaped',
      secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ],
    ['hexadecimal', Buffer.from(secret).toString('hex')],
    ['UTF-16', Buffer.from(secret, 'utf16le').toString('latin1')],
    ['first twelve characters', secret.slice(0, 12)],
    ['first twelve characters, small', secret.slice(0, 12).toLowerCase()],
    ['last twelve characters', secret.slice(-12)],
  ];
  // Base64 encodes groups of three bytes, so the encoding of the secret depends on its offset, and its ends on the neighboring bytes.
  for (const before of [0, 1, 2]) {
    const bytes = Buffer.from(`${' '.repeat(before)}${secret}`);
    const inner = bytes.toString('base64').slice(before === 0 ? 0 : 4, Math.floor(bytes.length / 3) * 4);
    forms.push(
      [`Base64, at ${before}`, inner],
      [`Base64 for URLs, at ${before}`, inner.replaceAll('+', '-').replaceAll('/', '_')],
    );
  }
  return new Map(forms.filter(([, form]) => form.length >= 12));
}

/** Returns the names of the forms that a text contains. */
export function formsIn(text: string, forms: ReadonlyMap<string, string>): string[] {
  return [...forms].filter(([, form]) => text.includes(form)).map(([name]) => name);
}

/** Unpacks the files of a ZIP archive (a VSIX), by name. */
export function unzip(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('Not a ZIP archive.');
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [method, size, nameLength, extraLength, commentLength, start] = [10, 20, 28, 30, 32, 42].map((field) =>
      field === 20 || field === 42 ? archive.readUInt32LE(at + field) : archive.readUInt16LE(at + field),
    ) as [number, number, number, number, number, number];
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    // The local header repeats name and extra field with other lengths.
    const data = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
    const packed = archive.subarray(data, data + size);
    files.set(name, method === 0 ? packed : inflateRawSync(packed));
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}
