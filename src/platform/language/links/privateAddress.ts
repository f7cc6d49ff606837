import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public addresses of a cloud's internal services: Azure's platform service. */
const CLOUD_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);
/** The address range of the public IPv6 internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an IP address must not be requested: this machine, its network, a cloud's internal services, and
 * anything else that isn't public.
 */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0 || CLOUD_ADDRESSES.has(address) || !ipaddr.isValid(address)) return true;
  const parsed = ipaddr.parse(address);
  return parsed.range() !== 'unicast' || (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_IPV6));
}
