/**
 * Publishes an extension to Open VSX, unless the version is there already: a release may be repeated after a failure.
 * @param {{ publisher: string, name: string, version: string }} id
 * @param {Buffer} vsix
 * @param {string} token
 * @param {string} [registry]
 * @returns {Promise<string>} what happened
 * @throws {Error} if the registry refuses; its reason never contains the token
 */
export async function publishToOpenVsx({ publisher, name, version }, vsix, token, registry = 'https://open-vsx.org') {
  if (token === '') throw new Error('The token for Open VSX is missing: set OVSX_TOKEN.');
  const id = `${publisher}.${name} ${version}`;
  const existing = await fetch(`${registry}/api/${publisher}/${name}/${version}`, {
    signal: AbortSignal.timeout(60_000),
  });
  if (existing.ok) return `${id} is on Open VSX already.`;
  if (existing.status !== 404) throw new Error(`Open VSX responded with ${existing.status}. Try again later.`);
  // The interface takes the token as a parameter.
  const response = await fetch(`${registry}/api/-/publish?token=${encodeURIComponent(token)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(vsix),
    redirect: 'error',
    signal: AbortSignal.timeout(300_000),
  }).catch((error) => {
    throw new Error(`Open VSX can't be reached: ${String(error?.cause?.code ?? error?.name)}.`);
  });
  const reply = await response.json().catch(() => ({}));
  if (response.ok && !reply.error) return `${id} is on Open VSX.`;
  const reason = String(reply.message ?? reply.error ?? 'no reason').replaceAll(token, '***');
  // It is listed only after its checks.
  if (reason.includes('already published')) return `${id} is on Open VSX already.`;
  throw new Error(`Open VSX refused ${id} (${response.status}): ${reason}`);
}
