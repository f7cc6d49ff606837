import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public addresses under which a cloud answers its own machines: Azure's platform service. */
const CLOUD_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);
/** All addresses of the public IPv6 internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether nothing is fetched from an IP address: this machine, its network, a cloud's own, and anything else that isn't public. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0 || CLOUD_ADDRESSES.has(address) || !ipaddr.isValid(address)) return true;
  const parsed = ipaddr.parse(address);
  return parsed.range() !== 'unicast' || (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_IPV6));
}
