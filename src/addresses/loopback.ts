import { isIP } from 'node:net'

/** Whether a host, by its name or its address, is the machine that asks. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || isLoopbackAddress(name)
}

/** Whether an address, without brackets, leads back to the machine that it is used on. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/** Whether this is how a listener says that it takes whatever address of its machine it is asked at. */
export function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}
